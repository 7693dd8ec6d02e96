import { sql } from "drizzle-orm";
import { type Db, openDatabase } from "@/lib/platform/db/client";
import { workspaces } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { buildSample, type SampleWorkspace } from "./build";
import { demoText } from "./text";

export type DemoSummary = SampleWorkspace & { threshold: number };

/** Arbitrary, but the same in every server. */
const DEMO_LOCK = 7_261_905_115;
const THRESHOLD = 3;

/**
 * Creates the demo workspace in a database without workspaces, unless `DEMO` is `never`; else returns undefined. Of
 * several servers that start at once, one creates it, in one transaction: an interrupted start leaves nothing behind.
 */
export async function ensureDemo(db: Db): Promise<DemoSummary | undefined> {
  if (env().DEMO === "never") return undefined;
  return db.transaction(async (tx) => {
    await tx.orm.execute(sql`select pg_advisory_xact_lock(${DEMO_LOCK})`);
    const [any] = await tx.orm.select({ id: workspaces.id }).from(workspaces).limit(1);
    if (any) return undefined;
    const sample = await buildSample(tx, {
      workspace: "Demo",
      app: "Demo app",
      email: "demo@example.com",
      codes: 200,
      threshold: THRESHOLD,
      sandbox: true,
    });
    return { ...sample, threshold: THRESHOLD };
  });
}

/** Runs {@link ensureDemo} at the start of the service and returns the text to print. */
export async function announceDemo(databaseUrl: string): Promise<string> {
  const db = openDatabase({
    url: databaseUrl,
    size: 1,
    sessions: env().DATABASE_POOLER === "none",
  });
  try {
    return demoText(await ensureDemo(db));
  } finally {
    await db.close();
  }
}
