import { expect, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { clientOf, postToApi } from "@/lib/testing/client";
import { captureLogLines } from "@/lib/testing/log";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { createKey } from "./create";
import { listKeys } from "./list";
import { hashKey } from "./text";
import { flushUses } from "./uses";

useService({ LOG_LEVEL: "trace" });

/** Every row of every table as text. */
async function everything(): Promise<string> {
  const { pool } = database();
  const tables = await pool.query<{ name: string }>(
    "select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname in ('public', 'drizzle')",
  );
  const texts = await Promise.all(
    tables.rows.map(({ name }) => pool.query<{ text: string }>(`select t::text as text from ${name} t`)),
  );
  return texts.flatMap(({ rows }) => rows.map(({ text }) => text)).join("\n");
}

test("a key's text is in no table, no log line and no error", async () => {
  const lines = captureLogLines();
  const tenant = await makeTenant();
  const { key } = await createKey(tenant.ctx, { name: "Phone" });
  const api = clientOf(key);
  const { metacode } = (await api.referrer("ann")).body;
  const answers = [
    await api.redeem("bob", metacode),
    await api.redeem("bob", metacode),
    await api.claim("unknown"),
    await postToApi("referrer", "{", key),
    await postToApi("referrer", { uid: 1 }, key),
    await postToApi("referrer", { uid: "ann" }, `${key}x`),
  ];
  const down = vi.spyOn(database(), "call").mockRejectedValue(new Error("statement broke"));
  const failed = await api.referrer("ann");
  down.mockRestore();
  expect(failed.status).toBe(500);
  expect(JSON.stringify(failed.body)).not.toContain("statement broke");
  await flushUses(tenant.ctx.db);

  const secret = key.slice(12, -4);
  expect(lines.length).toBeGreaterThanOrEqual(8);
  expect(lines.join("")).toContain("statement broke");
  expect(lines.join("")).not.toContain(secret);
  expect(JSON.stringify(answers)).not.toContain(secret);
  expect(JSON.stringify(await listKeys(tenant.ctx))).not.toContain(secret);
  const stored = await everything();
  expect(stored).toContain(hashKey(key).toString("hex"));
  expect(stored).not.toContain(secret);
});
