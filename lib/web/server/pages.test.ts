import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { AppError } from "@/lib/platform/errors";
import { exchange } from "@/lib/testing/http/raw-http";
import { markActionBegun, noteRenderError } from "@/lib/web/http/action-run";
import { correcting } from "./pages";

process.env.LOG_LEVEL = "silent";

/** Sends a request to a framework that answers as `render` does. */
async function ask(render: (outgoing: ServerResponse) => void, method = "POST", headers = "") {
  const pages = correcting(async (incoming, outgoing) => {
    incoming.resume();
    // As the framework does, after the first awaited work.
    await Promise.resolve();
    render(outgoing);
  });
  const server = createServer((incoming, outgoing) => void pages(incoming, outgoing)).listen(0);
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const lines = `Host: localhost\r\n${headers}Content-Length: 1\r\nConnection: close\r\n\r\nx`;
  return exchange(port, `${method} /sign-in HTTP/1.1\r\n${lines}`);
}

const FORM = "Content-Type: multipart/form-data; boundary=x\r\n";
const ACTION = "Next-Action: abc\r\n";

const answers = (status: number, body: string) => ({
  "by end": (outgoing: ServerResponse) => {
    outgoing.statusCode = status;
    outgoing.setHeader("Content-Encoding", "gzip").setHeader("Set-Cookie", "a=b");
    outgoing.end(body);
  },
  "by writes": (outgoing: ServerResponse) => {
    outgoing.statusCode = status;
    outgoing.write(body);
    outgoing.write(body);
    outgoing.end();
  },
  "with a head": (outgoing: ServerResponse) => void outgoing.writeHead(status).end(body),
});

const FAILED = Object.entries(answers(500, "Internal Server Error"));

test.each(FAILED)("a form that the framework could not read is a plain 400 (%s)", async (_, render) => {
  const { status, headers, body } = await ask(render, "POST", FORM);
  expect([status, body, headers["content-encoding"]]).toEqual([400, "Bad Request\n", undefined]);
  expect(headers).toMatchObject({ "content-type": "text/plain; charset=utf-8", "x-frame-options": "DENY" });
});

test("an action of another type, which the framework answers with its page, is a plain 400", async () => {
  for (const render of Object.values(answers(200, "<html>"))) {
    const { status, body } = await ask(render, "POST", ACTION);
    expect([status, body]).toEqual([400, "Bad Request\n"]);
  }
});

test("an action that ran and failed, a page that fails and a form for a page keep their responses", async () => {
  const began = (outgoing: ServerResponse) => {
    markActionBegun();
    outgoing.writeHead(500, { "Content-Length": 6 }).end("failed");
  };
  expect(await ask(began, "POST", ACTION)).toMatchObject({ status: 500, body: "failed" });
  const failed = (outgoing: ServerResponse) =>
    void outgoing.writeHead(500, { "Content-Length": 4 }).end("page");
  expect(await ask(failed, "GET")).toMatchObject({ status: 500, body: "page" });
  const shown = (outgoing: ServerResponse) =>
    void outgoing.writeHead(200, { "Content-Length": 4 }).end("page");
  expect(await ask(shown, "POST", FORM)).toMatchObject({ status: 200, body: "page" });
});

test.each(FAILED)(
  "a page that fails without the database is a 503 with a time to retry (%s)",
  async (_, render) => {
    const away = Object.assign(new Error("query failed"), {
      cause: Object.assign(new Error(), { code: "ECONNREFUSED" }),
    });
    for (const error of [away, new AppError("SERVICE_UNAVAILABLE")]) {
      const failing = (outgoing: ServerResponse) => {
        noteRenderError(error);
        render(outgoing);
      };
      const { status, headers } = await ask(failing, "GET");
      expect([status, headers["retry-after"]]).toEqual([503, "5"]);
    }
    const broken = (outgoing: ServerResponse) => {
      noteRenderError(new TypeError("a bug"));
      render(outgoing);
    };
    expect((await ask(broken, "GET")).status).toBe(500);
  },
);
