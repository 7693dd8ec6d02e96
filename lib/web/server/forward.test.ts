import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { exchange } from "@/lib/testing/http/raw-http";
import { forwardTo } from "./forward";

async function listening(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Counts collections of young garbage that the code asked for. */
function collections() {
  const seen = { count: 0 };
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as { detail?: { kind: number; flags: number } }[]) {
      const minor = detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR;
      if (minor && detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) seen.count += 1;
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  onTestFinished(() => observer.disconnect());
  return seen;
}

test("a request of version 1.0 without Host reaches the pages process, which would refuse it", async () => {
  const upstream = await listening(({ headers }, outgoing) => void outgoing.end(JSON.stringify(headers)));
  const pages = forwardTo(String(upstream));
  const port = await listening((incoming, outgoing) => void pages(incoming, outgoing));
  const answer = await exchange(port, "GET / HTTP/1.0\r\nX-Forwarded-Host: evil.test\r\n\r\n");
  expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('"host":"localhost"')]);
  const named = await exchange(port, "GET / HTTP/1.0\r\nHost: shop.test\r\n\r\n");
  expect(named.body).toContain('"host":"shop.test"');
});

test("the blanks within a Connection header take no time of other requests", {
  timeout: 10_000,
}, async () => {
  const upstream = await listening(({ headers }, outgoing) => void outgoing.end(JSON.stringify(headers)));
  const pages = forwardTo(String(upstream));
  const port = await listening((incoming, outgoing) => void pages(incoming, outgoing));
  const named = `Connection: a${" ".repeat(15_000)}b , X-Named\r\nX-Named: 1\r\nX-Kept: 1\r\n`;
  for (let times = 0; times < 150; times++) {
    const { body } = await exchange(port, `GET / HTTP/1.1\r\nHost: localhost\r\n${named}\r\n`);
    expect(body).toContain('"x-kept"');
    expect(body).not.toContain('"x-named"');
  }
});

test("below /api a sign-in gets the envelope while the pages process is away, whatever the browser accepts", async () => {
  const pages = forwardTo("/nowhere/pages.sock");
  const port = await listening((incoming, outgoing) => void pages(incoming, outgoing));
  const ask = (path: string) =>
    exchange(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n`);
  for (const path of ["/api/auth/session", "/api/auth?x=1"]) {
    const { status, headers, body } = await ask(path);
    expect([status, headers["retry-after"], headers["x-ratelimit-limit"]]).toEqual([
      503,
      "5",
      expect.stringMatching(/^\d+$/),
    ]);
    expect(JSON.parse(body).error.code).toBe("SERVICE_UNAVAILABLE");
  }
  expect((await ask("/api-keys")).headers["content-type"]).toBe("text/html; charset=utf-8");
});

const SIZE = 40 * 1024 * 1024;

test.each([
  ["a response", 0, SIZE],
  ["a file", SIZE, 0],
])("young garbage is collected while %s is passed on", async (_, sent, answered) => {
  const upstream = await listening(async (incoming, outgoing) => {
    let received = 0;
    for await (const chunk of incoming) received += chunk.length;
    outgoing.setHeader("x-received", received).end(Buffer.alloc(answered));
  });
  const pages = forwardTo(String(upstream));
  const port = await listening((incoming, outgoing) => void pages(incoming, outgoing));
  const seen = collections();
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: Buffer.alloc(sent) });
  expect((await answer.arrayBuffer()).byteLength).toBe(answered);
  expect(answer.headers.get("x-received")).toBe(String(sent));
  await vi.waitFor(() => expect(seen.count).toBeGreaterThan(5), { timeout: 60_000 });
});
