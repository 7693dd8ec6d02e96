import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "@/lib/testing/folder";
import { exchange } from "@/lib/testing/http/raw-http";
import { createHttpServer } from "./http-server";
import { staticFiles } from "./static-files";
import { createRouteTable } from "./table";

const SCRIPT = "console.log(1);".repeat(100);
const CHUNK = "/_next/static/chunks/app/%5BappId%5D/page-1.js";

async function start() {
  const root = await temporaryFolder();
  const files = {
    ".next/static/chunks/app/[appId]/page-1.js": SCRIPT,
    ".next/secret.txt": "secret",
    "public/share.png": "picture",
    ".env": "secret",
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const server = createHttpServer({
    table: createRouteTable([]),
    files: staticFiles("own-build", root),
    pages: async (_incoming, outgoing) => void outgoing.end("page"),
    hops: 0,
    draining: () => false,
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, more = "", method = "GET") =>
    exchange(port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`);
  return { ask, port };
}

test("a file of the build is sent whole, cacheable forever, and compressed for clients that accept it", async () => {
  const { ask, port } = await start();
  const plain = await ask(CHUNK);
  expect([plain.status, plain.body]).toEqual([200, SCRIPT]);
  expect(plain.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    vary: "Accept-Encoding",
  });
  for (const [accepted, chosen] of [
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, br;q=0", "gzip"],
  ] as const) {
    const packed = await fetch(`http://127.0.0.1:${port}${CHUNK}`, {
      headers: { "accept-encoding": accepted },
    });
    expect([packed.headers.get("content-encoding"), await packed.text()]).toEqual([chosen, SCRIPT]);
    expect(Number(packed.headers.get("content-length"))).toBeLessThan(SCRIPT.length);
  }
});

test("a public file is asked for again with its tag", async () => {
  const { ask } = await start();
  const { headers, body } = await ask("/share.png?v=2");
  expect([headers["cache-control"], headers["content-type"], body]).toEqual([
    "public, max-age=0",
    "image/png",
    "picture",
  ]);
  expect((await ask("/share.png", `If-None-Match: ${headers.etag}\r\n`)).status).toBe(304);
  const head = await ask("/share.png", "Connection: close\r\n", "HEAD");
  expect([head.status, head.headers["content-length"], head.body]).toEqual([200, "7", ""]);
});

test("no other file can be named", async () => {
  const { ask } = await start();
  for (const path of ["/.env", "/secret.txt", "/_next/secret.txt", "/public/share.png"])
    expect([path, (await ask(path)).body]).toEqual([path, "page"]);
  for (const path of ["/_next/static/%2e%2e/secret.txt", "/_next/static/..%2fsecret.txt"])
    expect([path, (await ask(path)).status]).toEqual([path, 400]);
});

test("an unknown file of the build is a 404 with the security headers, and costs no page", async () => {
  const { ask } = await start();
  const { status, headers, body } = await ask("/_next/static/chunks/gone.js");
  expect([status, body]).toEqual([404, "Not Found\n"]);
  expect(headers["x-frame-options"]).toBe("DENY");
  expect((await ask(CHUNK, "Content-Length: 0\r\n", "POST")).status).toBe(405);
});

test("a file of another build is looked for on the next instance, a bounded number of times", async () => {
  const { ask } = await start();
  let path = "/_next/static/chunks/newer.js?dpl=newer-build";
  for (let attempt = 1; attempt <= 12; attempt++) {
    const { status, headers } = await ask(path);
    expect([status, headers["cache-control"]]).toEqual([307, "no-store"]);
    path = headers.location ?? "";
    expect(path).toBe(`/_next/static/chunks/newer.js?dpl=newer-build&attempt=${attempt}`);
  }
  expect((await ask(path)).status).toBe(404);
  // An instance that has the file sends it, whichever build asks.
  expect((await ask(`${CHUNK}?dpl=newer-build&attempt=3`)).body).toBe(SCRIPT);
  for (const query of ["dpl=own-build", "attempt=1", "dpl=x&attempt=never"])
    expect([query, (await ask(`/_next/static/chunks/newer.js?${query}`)).status]).toEqual([query, 404]);
});
