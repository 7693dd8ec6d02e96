import { once } from "node:events";
import { type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { MAX_UPLOAD_BYTES, UPLOAD_PATH } from "@/lib/http/upload";
import { bundle, startChild } from "@/lib/testing/child";
import { exchange } from "@/lib/testing/raw-http";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { config } from "@/proxy";
import { createHttpServer } from "./http";
import { routeTable } from "./table";

useService();

const APP = "018f0000-0000-7000-8000-000000000000";
const UPLOADS = ["check", "store", "refused"].map((what) => `/dashboard/apps/${APP}/codes/import/${what}`);
const OTHERS = [
  "/",
  "/sign-in",
  "/dashboard",
  `/dashboard/apps/${APP}/codes/import`,
  `/dashboard/apps/${APP}/codes/import/`,
  `/dashboard/apps/${APP}/codes/import/check/more`,
  `/dashboard/apps/${APP}/x/codes/import/check`,
  `/x/dashboard/apps/${APP}/codes/import/check`,
];

test("the proxy, which would hold a body in memory, passes by the uploads and nothing else of the dashboard", () => {
  // The pattern has nothing of the framework's own in it, so it reads as a plain expression.
  const seen = (path: string) => new RegExp(`^${config.matcher}$`).test(path);
  expect(UPLOADS.filter(seen)).toEqual([]);
  expect(UPLOADS.filter((path) => !UPLOAD_PATH.test(path))).toEqual([]);
  expect(OTHERS.filter((path) => !seen(path))).toEqual([]);
  expect(OTHERS.filter((path) => UPLOAD_PATH.test(path))).toEqual([]);
});

describe("the bodies of pages", () => {
  let server: Server;
  let port = 0;
  const asked: string[] = [];
  beforeAll(async () => {
    const pages = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
      asked.push(incoming.url ?? "");
      incoming.resume();
      outgoing.end("page");
    };
    server = createHttpServer({ table: routeTable([]), pages, hops: 0, draining: () => false });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const post = async (path: string, headers: string) => {
    asked.length = 0;
    const { status } = await exchange(port, `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
    return [status, asked.length];
  };

  test("are as long as a form, and files as long as the largest of a store, declared before a byte is read", async () => {
    for (const path of OTHERS) {
      expect(await post(path, "Content-Length: 1048576")).toEqual([200, 1]);
      expect(await post(path, "Content-Length: 1100001")).toEqual([413, 0]);
    }
    for (const path of [...UPLOADS, `${UPLOADS[0]}?pool=x`]) {
      expect(await post(path, `Content-Length: ${MAX_UPLOAD_BYTES}`)).toEqual([200, 1]);
      expect(await post(path, `Content-Length: ${MAX_UPLOAD_BYTES + 1}`)).toEqual([413, 0]);
    }
  });

  test("say how long they are", async () => {
    for (const path of [...OTHERS, ...UPLOADS]) {
      expect(await post(path, "Transfer-Encoding: chunked")).toEqual([411, 0]);
    }
  });
});

const LINK = "https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=";

/** About `megabytes` of code and link, every row as long as the store's; the same 50,000 codes over and over. */
function* fileOf(megabytes: number): Generator<Buffer> {
  const row = (index: number) => {
    const code = `C${String(index).padStart(17, "0")}`;
    return `${code},${LINK}${code}\n`;
  };
  const rows = 1_000;
  const size = rows * row(0).length;
  for (let part = 0; part * size < megabytes * 1_048_576; part++) {
    yield Buffer.from(Array.from({ length: rows }, (_, index) => row((part % 50) * rows + index)).join(""));
  }
}

interface Report {
  read: number;
  fresh: number;
  peak: number;
}

/** Sends a file with its length, as a browser does, and reads the answer to its last line. */
async function send(port: number, megabytes: number): Promise<Report> {
  let length = 0;
  for (const piece of fileOf(megabytes)) length += piece.length;
  const path = UPLOADS[0] ?? "";
  const outgoing = request({ port, path, method: "POST", headers: { "Content-Length": length } });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  for (const piece of fileOf(megabytes)) {
    if (!outgoing.write(piece)) await once(outgoing, "drain");
  }
  outgoing.end();
  const [incoming] = await answered;
  let text = "";
  for await (const piece of incoming) text += piece;
  return JSON.parse(text.trim().split("\n").at(-1) ?? "").result;
}

test("a file of 90 MB goes through in a stream: memory does not grow with the file", async () => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const ids = [ctx.workspace.id, ctx.app.id, pools.ios.referee];
  const child = startChild(await bundle("lib/testing/upload-child.ts"), ids);
  onTestFinished(() => child.kill());
  const port = Number(await child.firstLine);
  // Garbage of pieces comes to its plateau first.
  const small = await send(port, 30);
  const large = await send(port, 90);
  expect([small.fresh, large.fresh]).toEqual([50_000, 50_000]);
  expect(large.read).toBeGreaterThan(800_000);
  expect(large.peak - small.peak).toBeLessThan(30 * 1_048_576);
}, 120_000);
