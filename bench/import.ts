import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { forkBench } from "@/bench/children";
import { printTable, printTarget } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { formatNumber } from "@/lib/contract/format";
import { migrate } from "@/lib/platform/db/migrate";
import { median } from "@/lib/testing/numbers";

interface Run {
  seconds: number;
  megabytes: number;
}

/** Writes distinct codes as long as Apple's, in no order. */
async function writeFile(file: string, codes: number): Promise<void> {
  const lines = function* () {
    for (let n = 1; n <= codes; n++) {
      const mixed = (BigInt(n) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
      yield `${mixed.toString(36).toUpperCase().padStart(13, "0")}XYZ\n`;
    }
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
}

/** A separate database, so that the table is empty before every run. */
async function ownDatabase(stage: Stage): Promise<string> {
  await stage.db.query("create database bench_import");
  const url = new URL(stage.url);
  url.pathname = "/bench_import";
  await migrate(url.href);
  return url.href;
}

async function load(way: "copy" | "import", url: string, file: string): Promise<Run> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("truncate codes");
  await client.query("checkpoint");
  await client.end();
  const child = await forkBench("import-process", [way, url, file]);
  const ended = once(child, "exit");
  const [run] = (await Promise.race([
    once(child, "message"),
    ended.then(() => Promise.reject(new Error(`The ${way} failed`))),
  ])) as [Run];
  await ended;
  return run;
}

/** Measures the import of a file of codes against `COPY` of the same file into the same table, and its memory. */
export async function benchImport(stage: Stage): Promise<void> {
  const count = stage.quick ? 100_000 : 1_000_000;
  const file = join(stage.folder, "codes.csv");
  const small = join(stage.folder, "few-codes.csv");
  await Promise.all([writeFile(file, count), writeFile(small, count / 5)]);
  const url = await ownDatabase(stage);
  const few = await load("import", url, small);
  const runs = { copy: [] as Run[], import: [] as Run[] };
  for (let round = 0; round < (stage.quick ? 1 : 3); round++) {
    for (const way of ["copy", "import"] as const) runs[way].push(await load(way, url, file));
  }
  const of = (all: Run[], field: keyof Run) => median(all.map((run) => run[field]));
  const row = (name: string, all: Run[], codes: number) => [
    name,
    of(all, "seconds").toFixed(1),
    (codes / of(all, "seconds")).toFixed(0),
    of(all, "megabytes").toFixed(0),
  ];
  printTable(
    "codes",
    ["seconds", "codes/s", "peak memory MB"],
    [
      row(`import of ${formatNumber(count / 5)}`, [few], count / 5),
      row(`import of ${formatNumber(count)}`, runs.import, count),
      row(`COPY of ${formatNumber(count)}`, runs.copy, count),
    ],
  );
  const speed = median(runs.copy.map((run, round) => run.seconds / (runs.import[round]?.seconds ?? 0)));
  printTarget("import / COPY of the same file", speed, { least: 0.33 });
  printTarget("peak memory of five times the codes", of(runs.import, "megabytes") / few.megabytes, {
    most: 1.5,
  });
  console.log();
  await rm(file);
}
