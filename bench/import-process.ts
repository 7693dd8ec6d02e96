import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from } from "pg-copy-streams";
import { openDatabase } from "@/lib/platform/db/client";
import { importCodes } from "@/lib/program/codes/import";
import { createPool } from "@/lib/program/pools/pools";
import { systemContext } from "@/lib/tenants/apps/app";
import { insertApp } from "@/lib/tenants/apps/create";
import { insertWorkspace } from "@/lib/tenants/workspaces/create";

// One way of importing a file of codes, in a separate process so that its memory can be measured.
const [way, url = "", file = ""] = process.argv.slice(2);

async function importFile(): Promise<number> {
  const db = openDatabase({ url });
  const workspace = await insertWorkspace(db, { name: "Import", plan: "enterprise" });
  const app = await insertApp(db, workspace.id, { name: "Import", sandbox: true, appleAppId: "1234567890" });
  const ctx = systemContext(db, app);
  const pool = await createPool(ctx, { platform: "ios", use: "referee", name: "Import" });
  const started = performance.now();
  await importCodes(ctx, { poolId: pool.id, kind: "one_time", source: createReadStream(file) });
  const seconds = (performance.now() - started) / 1000;
  await db.close();
  return seconds;
}

/** `COPY` of the same file into the same table; defaults fill the columns that the file does not have. */
async function copyFile(): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `alter table codes alter app_id set default '00000000-0000-7000-8000-000000000001', alter id set default uuidv7(),
       alter batch_id set default '00000000-0000-7000-8000-000000000002', alter platform set default 'ios',
       alter slot set default floor(random() * 2147483647)::int`,
  );
  const started = performance.now();
  await pipeline(
    createReadStream(file),
    client.query(from("copy codes (code) from stdin with (format csv)")),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const column of ["app_id", "id", "batch_id", "platform", "slot"]) {
    await client.query(`alter table codes alter ${column} drop default`);
  }
  await client.end();
  return seconds;
}

const seconds = await (way === "copy" ? copyFile() : importFile());
process.send?.({ seconds, megabytes: process.resourceUsage().maxRSS / 1024 });
process.disconnect?.();
