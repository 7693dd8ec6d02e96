import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase, PINNED_SETTINGS } from "@/lib/platform/db/client";
import { useService } from "@/lib/testing/service";

useService();

test("a connection's settings override those of the server and the database", async () => {
  const url = process.env.DATABASE_URL ?? "";
  const name = new URL(url).pathname.slice(1);
  const others = openDatabase({ url, size: 1 });
  onTestFinished(() => others.close());
  const zeros = Object.fromEntries(Object.keys(PINNED_SETTINGS).map((setting) => [setting, "0"]));
  const values: Record<string, string> = {
    ...zeros,
    jit: "on",
    enable_seqscan: "on",
    synchronous_commit: "off",
  };
  for (const setting of Object.keys(PINNED_SETTINGS)) {
    await others.pool.query(`alter database ${name} set ${setting} = ${values[setting]}`);
  }
  const db = openDatabase({ url, size: 1 });
  onTestFinished(() => db.close());
  const { rows } = await db.pool.query(
    "select json_object_agg(name, current_setting(name)) as settings from unnest($1::text[]) name",
    [Object.keys(PINNED_SETTINGS)],
  );
  expect(rows[0].settings).toEqual(PINNED_SETTINGS);
});

test("the guide's role for a pooler carries every setting of a direct connection", () => {
  const guide = readFileSync("docs/guides/self-hosting.md", "utf8");
  const listed = [...guide.matchAll(/^ALTER ROLE metacode SET (\w+) = '(\w+)';$/gm)];
  expect(Object.fromEntries(listed.map(([, name, value]) => [name, value]))).toEqual(PINNED_SETTINGS);
});
