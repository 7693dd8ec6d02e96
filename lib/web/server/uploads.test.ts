import { once } from "node:events";
import { type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { exchange } from "@/lib/testing/http/raw-http";
import { bundleForChild, startChild } from "@/lib/testing/processes/child";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { MAX_UPLOAD_BYTES, UPLOAD_PATH } from "@/lib/web/http/upload";
import { config, proxy } from "@/proxy";
import { createHttpServer } from "./http-server";
import { createRouteTable } from "./table";

useService({ APP_URL: "http://localhost:3000" });

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

test("the proxy, which would buffer a body, skips the uploads and nothing else of the dashboard", () => {
  // The pattern has no syntax of Next's own, so it works as a regular expression.
  const seen = (path: string) => new RegExp(`^${config.matcher}$`).test(path);
  expect(UPLOADS.filter(seen)).toEqual([]);
  expect(UPLOADS.filter((path) => !UPLOAD_PATH.test(path))).toEqual([]);
  expect(OTHERS.filter((path) => !seen(path))).toEqual([]);
  expect(OTHERS.filter((path) => UPLOAD_PATH.test(path))).toEqual([]);
});

test("a POST to a page is a form of our own page with parts, or names an action", () => {
  const APP_URL = "http://localhost:3000";
  const post = (headers: Record<string, string>) =>
    proxy(new NextRequest(`${APP_URL}/sign-in`, { method: "POST", headers: { Origin: APP_URL, ...headers } }))
      .status;
  const type = (name: string) => ({ "Content-Type": name });
  expect(post(type("multipart/form-data; boundary=x"))).toBe(200);
  expect(post({ ...type("text/plain"), "Next-Action": "x" })).toBe(200);
  expect(post({})).toBe(200);
  for (const name of ["application/x-www-form-urlencoded", "text/plain", "application/json"]) {
    expect(post(type(name))).toBe(415);
    expect(post({ ...type(name), Origin: "https://evil.example" })).toBe(403);
  }
});

describe("the bodies of pages", () => {
  let server: Server;
  let port = 0;
  const served: string[] = [];
  beforeAll(async () => {
    const pages = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
      served.push(incoming.url ?? "");
      incoming.resume();
      outgoing.end("page");
    };
    server = createHttpServer({ table: createRouteTable([]), pages, hops: 0, draining: () => false });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const post = async (path: string, headers: string) => {
    served.length = 0;
    const { status } = await exchange(port, `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
    return [status, served.length];
  };

  test("are limited to a form's length, files to that of a store's largest, before a byte is read", async () => {
    for (const path of OTHERS) {
      expect(await post(path, "Content-Length: 1048576")).toEqual([200, 1]);
      expect(await post(path, "Content-Length: 1100001")).toEqual([413, 0]);
    }
    for (const path of [...UPLOADS, `${UPLOADS[0]}?pool=x`]) {
      expect(await post(path, `Content-Length: ${MAX_UPLOAD_BYTES}`)).toEqual([200, 1]);
      expect(await post(path, `Content-Length: ${MAX_UPLOAD_BYTES + 1}`)).toEqual([413, 0]);
    }
  });

  test("must declare their length", async () => {
    for (const path of [...OTHERS, ...UPLOADS]) {
      expect(await post(path, "Transfer-Encoding: chunked")).toEqual([411, 0]);
    }
  });
});

const LINK = "https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=";

/** About `megabytes` of codes and links, with rows as long as a store's; the same 50,000 codes repeat. */
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

/** Sends a file with its length, as a browser does, and reads the response to its last line. */
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

test("a file of 40 MB is streamed: memory does not grow with the file", async () => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const ids = [ctx.workspace.id, ctx.app.id, pools.ios.referee];
  const child = startChild(await bundleForChild("lib/testing/processes/upload.ts"), ids);
  onTestFinished(() => child.kill());
  const port = Number(await child.firstLine);
  const small = await send(port, 6);
  const large = await send(port, 40);
  expect([small.fresh, large.fresh]).toEqual([50_000, 50_000]);
  expect(large.read).toBeGreaterThan(350_000);
  // A service that kept the file in memory would need 34 MB more.
  expect((large.peak - small.peak) / 1_048_576).toBeLessThan(20);
});
