import { LISTS, type Viewer } from "@/bench/lists/lists";
import { seedLists } from "@/bench/lists/seed";
import { printTable, printTarget } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { formatNumber } from "@/lib/contract/format";
import { type Db, openDatabase } from "@/lib/platform/db/client";
import { unmetered } from "@/lib/tenants/quota/meter";
import { median } from "@/lib/testing/numbers";

const FEW = 1_000;

/** The maximum time of a page over many rows, as a multiple of the time over few rows. */
const MOST = 3;

type Seeded = Pick<Stage, "db" | "url" | "quick">;

/** Measures the lists of the dashboard over a million rows against a thousand, by the queries of their pages. */
export async function benchLists({ db, url, quick }: Seeded): Promise<void> {
  const many = quick ? 100_000 : 1_000_000;
  const pool = openDatabase({ url, size: 8 });
  try {
    const viewers = [
      viewerOf(pool, await seedLists(db, FEW)),
      viewerOf(pool, await seedLists(db, many)),
    ] as const;
    await db.query("vacuum analyze");
    await db.query("checkpoint");
    await compare(viewers, many, quick ? 15 : 31);
  } finally {
    await pool.close();
  }
}

function viewerOf(db: Db, listed: Viewer["listed"]): Viewer {
  const actor = { kind: "user", id: listed.workspace, name: "Bench", address: "127.0.0.1" } as const;
  const app = {
    id: listed.app,
    name: "Bench",
    sandbox: false,
    appleAppId: null,
    androidPackage: null,
    iosBundleId: null,
    landingDomain: null,
  };
  const workspace = { id: listed.workspace, name: "Bench", plan: "enterprise" as const };
  return {
    listed,
    ctx: { app, workspace, actor, db, requestId: listed.app, meter: unmetered },
    workspaceContext: { workspace, actor, role: "owner", db },
  };
}

/** Compared round by round: adjacent runs share the state of the machine. The first rounds fill caches and do not count. */
async function compare([few, all]: readonly [Viewer, Viewer], many: number, rounds: number): Promise<void> {
  const rows: string[][] = [];
  let worst = { name: "", ratio: 0 };
  for (const [name, page] of Object.entries(LISTS)) {
    const times: { few: number; all: number }[] = [];
    for (let round = 0; round < rounds + 3; round++) {
      times.push({ few: await timed(() => page(few)), all: await timed(() => page(all)) });
    }
    const counted = times.slice(3);
    const ratio = median(counted.map((time) => time.all / time.few));
    if (ratio > worst.ratio) worst = { name, ratio };
    const ms = (of: "few" | "all") => median(counted.map((time) => time[of])).toFixed(2);
    rows.push([name, ms("few"), ms("all"), ratio.toFixed(2)]);
  }
  const rowsOf = (count: number) => `ms, ${formatNumber(count)} rows`;
  printTable("a page of", [rowsOf(FEW), rowsOf(many), "ratio"], rows);
  printTarget(`slowest against few rows (${worst.name})`, worst.ratio, { most: MOST });
  console.log();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
