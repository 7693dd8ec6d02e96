import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { table } from "@/lib/cli/routes";
import { findDocsPage } from "@/lib/web/docs/page";
import { OPERATIONS } from "./operations";
import { viewerScript } from "./viewer";

type Method = "GET" | "HEAD" | "POST";

async function ask(path: string, headers: Record<string, string> = {}, method: Method = "GET") {
  const match = table.find(path);
  const request = new Request(`http://localhost:3000${path}`, { method, headers });
  const response = await match?.module[method]?.(request, { params: match.params });
  if (!response) throw new Error(`nothing answers ${method} ${path}`);
  return response;
}

test("openapi.json may be read from any site, and is sent only once", async () => {
  const first = await ask("/openapi.json");
  const { openapi, servers } = await first.json();
  expect([openapi, servers[0].url]).toEqual(["3.1.1", "http://localhost:3000/api"]);
  expect(first.headers.get("access-control-allow-origin")).toBe("*");
  const tag = first.headers.get("etag") ?? "";
  const [again, weak, other] = await Promise.all(
    [tag, `"x", W/${tag}`, '"x"'].map((known) => ask("/openapi.json", { "if-none-match": known })),
  );
  expect([again?.status, weak?.status, other?.status]).toEqual([304, 304, 200]);
  expect(await again?.text()).toBe("");
});

test("it is gzipped for clients that accept gzip, and HEAD has no body", async () => {
  const plain = await (await ask("/openapi.json")).text();
  const packed = await ask("/openapi.json", { "accept-encoding": "br, gzip" });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(plain);
  const refused = await ask("/openapi.json", { "accept-encoding": "gzip;q=0, br" });
  expect([refused.headers.get("content-encoding"), await refused.text()]).toEqual([null, plain]);
  expect(await (await ask("/openapi.json", {}, "HEAD")).text()).toBe("");
  expect((await ask("/openapi.json", {}, "POST")).status).toBe(405);
});

test("the reference lists every operation without JavaScript, and lets only its own scripts run", async () => {
  const page = await ask("/docs/api", { cookie: "a=b; theme=dark" });
  const html = await page.text();
  for (const { method, path } of OPERATIONS) expect(html).toContain(`${method.toUpperCase()} /api${path}`);
  expect(html).toContain('data-theme="dark"');
  const policy = page.headers.get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
  expect(policy).not.toContain("unsafe");
  expect(html.match(/<(script|style)\b[^>]*/g)?.filter((tag) => !tag.includes(nonce))).toEqual([]);
  expect(await (await ask("/docs/api")).text()).not.toContain(nonce);
});

test("the links of the reference lead to existing pages", async () => {
  const html = await (await ask("/docs/api")).text();
  const links = [...html.matchAll(/<a href="(\/docs\/[^"]+)"/g)].map(([, href = ""]) => href);
  expect(links.length).toBeGreaterThan(0);
  for (const href of links) expect(await findDocsPage(href), href).toBeDefined();
});

test("the viewer sends no request to another server", async () => {
  const script = await viewerScript();
  expect(script).not.toContain("cdn.redoc.ly");
  expect(script).toContain("document.currentScript.nonce");
  expect(script.length).toBeGreaterThan(1_000_000);
});
