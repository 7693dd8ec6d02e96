import { setTimeout as pause } from "node:timers/promises";
import { ne, sql } from "drizzle-orm";
import { type Db, openDatabase } from "@/lib/platform/db/client";
import { workspaces } from "@/lib/platform/db/schema";
import { commandLine, env } from "@/lib/platform/env";
import { DEMO_WORKSPACE_ID } from "@/lib/program/demo/renew";
import { buildSample, type SampleWorkspace } from "./build";

export type FirstSample = SampleWorkspace & { threshold: number };

/** Arbitrary, but the same in every server. */
export const SAMPLE_LOCK = 7_261_905_117;
const THRESHOLD = 3;
/** Milliseconds until a server checks again whether another one has created the workspace. */
const AGAIN_MS = 1_000;

/**
 * Creates the sample workspace in a database without workspaces, unless `SAMPLE_WORKSPACE` is `never`; else returns
 * undefined. Of several servers that start at once, one creates it, in one transaction. After an interrupted start,
 * which leaves nothing behind, a waiting server or the next start creates it.
 */
export async function ensureSampleWorkspace(db: Db): Promise<FirstSample | undefined> {
  if (env().SAMPLE_WORKSPACE === "never") return undefined;
  for (;;) {
    const made = await createFirst(db);
    if (made !== "busy") return made;
    await pause(AGAIN_MS);
  }
}

async function createFirst(db: Db): Promise<FirstSample | "busy" | undefined> {
  return db.transaction(async (tx) => {
    // On a slow machine the other server takes longer than a statement may wait for a lock.
    const { rows } = await tx.orm.execute(sql`select where pg_try_advisory_xact_lock(${SAMPLE_LOCK})`);
    if (rows.length === 0) return "busy";
    // A round may have built the demo a moment before.
    const others = ne(workspaces.id, DEMO_WORKSPACE_ID);
    const [any] = await tx.orm.select({ id: workspaces.id }).from(workspaces).where(others).limit(1);
    if (any) return undefined;
    const sample = await buildSample(tx, {
      workspace: "Sample",
      app: "Sample app",
      email: "sample@example.com",
      codes: 200,
      threshold: THRESHOLD,
      sandbox: true,
    });
    return { ...sample, threshold: THRESHOLD };
  });
}

/** Runs {@link ensureSampleWorkspace} at the start of the service and returns the text to print. */
export async function announceSampleWorkspace(databaseUrl: string): Promise<string> {
  const db = openDatabase({
    url: databaseUrl,
    size: 1,
    sessions: env().DATABASE_POOLER === "none",
  });
  try {
    return firstSampleText(await ensureSampleWorkspace(db));
  } finally {
    await db.close();
  }
}

type Shown = Pick<SampleWorkspace, "base_url" | "landing_url" | "owner" | "api_key" | "providers"> & {
  threshold: number;
};

function again(): string {
  return `
  Dashboard   ${env().APP_URL}/dashboard
  API keys are shown only once. Create a new one in the dashboard under your app's API keys, or a new workspace with
  ${commandLine("sample")}
`;
}

/** The whole loop as shell commands, to be run in order. */
function walk({ base_url, landing_url, api_key, providers, threshold }: Shown): string {
  const { url, authorization } = providers.revenuecat;
  const numbers = Array.from({ length: threshold }, (_, index) => index + 1).join(" ");
  const json = `-H 'content-type: application/json'`;
  const post = `curl -s -H 'x-api-key: ${api_key}' ${json}`;
  const purchase = `{"event":{"id":"purchase-'$n'","type":"INITIAL_PURCHASE","app_user_id":"friend-'$n'","store":"APP_STORE","environment":"SANDBOX","period_type":"NORMAL","event_timestamp_ms":'$(date +%s)'000}}`;
  return `
  # 1. Anna opens the referral screen of the app and gets a metacode.
  METACODE=$(${post} -d '{"uid":"anna"}' ${base_url}/referrer | sed 's/.*"metacode":"\\([^"]*\\)".*/\\1/'); echo $METACODE
  # 2. Her friends open the link (you can open it in a browser too).
  curl -s ${landing_url}/r/$METACODE | head -c 300; echo
  # 3. ${threshold} friends enter the metacode, and each gets a promo code.
  for n in ${numbers}; do ${post} -d '{"referee_uid":"friend-'$n'","metacode":"'$METACODE'","platform":"ios"}' ${base_url}/referee-redeem; echo; done
  # 4. RevenueCat reports their purchases.
  for n in ${numbers}; do curl -s -H 'authorization: ${authorization}' ${json} -d '${purchase}' ${url}; echo; done
  # 5. Anna has earned a reward and claims it.
  ${post} -d '{"uid":"anna"}' ${base_url}/referrer-claim; echo
`;
}

/** The text of the start: the data of a new sample workspace, or where to sign in on later starts. */
export function firstSampleText(made: Shown | undefined): string {
  if (!made) return again();
  return `
A sample workspace is ready: a sandbox app with an active campaign and made-up codes.

  Dashboard   ${env().APP_URL}/dashboard
  Sign in     ${made.owner.email}   ${made.owner.password}
  API         ${made.base_url}
  API key     ${made.api_key}

The password and the key are shown only once. The whole loop, to copy line by line:
${walk(made)}`;
}

/** The text of `npm run sample`. A live app ignores sandbox purchases, so its steps name production. */
export function sampleText(sample: SampleWorkspace, threshold: number, live: boolean): string {
  const steps = walk({ ...sample, threshold });
  return `
  Workspace         ${sample.workspace_id}
  Dashboard         ${env().APP_URL}/dashboard   ${sample.owner.email}   ${sample.owner.password}
  App               ${sample.app_id} (${live ? "live" : "sandbox"})
  Campaign          ${sample.campaign_id}
  API               ${sample.base_url}
  API key           ${sample.api_key}
  Read-only key     ${sample.read_only_key}
  Redeem-only key   ${sample.redeem_only_key}
  RevenueCat        ${sample.providers.revenuecat.url}   authorization: ${sample.providers.revenuecat.authorization}
  Own server        ${sample.providers.generic.url}   secret: ${sample.providers.generic.secret}
${live ? steps.replaceAll("SANDBOX", "PRODUCTION") : steps}`;
}
