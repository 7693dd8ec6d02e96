import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "@/lib/platform/db/client";
import { useService } from "@/lib/testing/service";

useService();

test("a connection's settings override those of the server and the database", async () => {
  const url = process.env.DATABASE_URL ?? "";
  const name = new URL(url).pathname.slice(1);
  const others = openDatabase({ url, size: 1 });
  onTestFinished(() => others.close());
  for (const setting of ["jit = on", "enable_seqscan = on", "synchronous_commit = off"]) {
    await others.pool.query(`alter database ${name} set ${setting}`);
  }
  const db = openDatabase({ url, size: 1 });
  onTestFinished(() => db.close());
  const { rows } = await db.pool.query(
    `select current_setting('jit') as jit, current_setting('enable_seqscan') as seqscan,
            current_setting('synchronous_commit') as durable`,
  );
  expect(rows).toEqual([{ jit: "off", seqscan: "off", durable: "on" }]);
});
