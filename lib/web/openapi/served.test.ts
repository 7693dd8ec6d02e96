import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { table } from "@/lib/cli/routes";
import { ERROR_STATUS } from "@/lib/platform/errors";

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

test("error codes are an open list, so that a generated client can decode a code added later", async () => {
  const { components } = await (await ask("/openapi.json")).json();
  const { ErrorCode, ...schemas } = components.schemas;
  expect(ErrorCode).toMatchObject({ type: "string", "x-extensible-enum": Object.keys(ERROR_STATUS) });
  const errors = Object.keys(schemas).filter((name) => /Error(Body)?$/.test(name));
  expect(errors.length).toBeGreaterThan(9);
  for (const name of errors) expect(JSON.stringify(schemas[name]), name).not.toMatch(/"(enum|const)"/);
});

test("a provider's answer has the statuses that the page of the providers explains", async () => {
  const { components } = await (await ask("/openapi.json")).json();
  const [, answers = ""] = readFileSync("docs/providers.md", "utf8").split("| `status` | Meaning |");
  const rows = answers.split("\n\n", 1)[0]?.match(/^\| (`\w+`(, )?)+/gm) ?? [];
  const explained = rows.flatMap((row) => row.match(/\w+/g) ?? []);
  expect(components.schemas.Confirmation.properties.status.enum.sort()).toEqual(explained.sort());
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
