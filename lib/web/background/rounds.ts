import type { APP_ROUNDS, INSTALLATION_ROUNDS } from "@/lib/outward/problems/backlogs";
import { alertQueue } from "@/lib/outward/problems/post";
import { LOOK_S, watchApp } from "@/lib/outward/problems/watch";
import { addRounds, markChangedApps, markQuotas, watchBacklogs } from "@/lib/outward/rounds/mark-apps";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { sendWeeklyEmails } from "@/lib/outward/weekly/weekly-email";
import { databaseTime } from "@/lib/platform/db/chunks";
import { type Db, database, openDatabase } from "@/lib/platform/db/client";
import { emailQueue } from "@/lib/platform/email/sender";
import { closeTransport } from "@/lib/platform/email/transport";
import { BACKGROUND_CONNECTIONS, env } from "@/lib/platform/env";
import { type Queue, runQueues } from "@/lib/platform/jobs/queue";
import { noteFailingApps, type RunRound, roundQueue, type TakenRound } from "@/lib/platform/jobs/rounds";
import { APPS_WITH_DUE_CAMPAIGNS, endDueCampaigns } from "@/lib/program/campaigns/lifecycle";
import { setAsideOverlooked } from "@/lib/program/code-requests/overlooked";
import { refillPools } from "@/lib/program/code-requests/refill";
import { codeRequestQueue } from "@/lib/program/code-requests/run-due";
import { applyDueEvents, appsWithOpenEvents } from "@/lib/program/confirmations/apply-again";
import { renewDemo } from "@/lib/program/demo/renew";
import { APPS_WITH_ENDED_PLACES, endAllPlaces } from "@/lib/program/line/line";
import { sweepApp } from "@/lib/program/retention/sweep-tenant";
import { APPS_WITH_ENDED_HOLDS, endHolds } from "@/lib/program/rewards/holds";
import { rollUp } from "@/lib/program/stats/roll-up";
import { findSystemContext, forApps } from "@/lib/tenants/apps/for-apps";
import { watchDomains } from "@/lib/tenants/domains/watch-domains";
import { sweepInstallation } from "@/lib/web/background/sweep";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds between two roll-ups of an app whose events have not settled yet. */
const ROLL_UP_S = 15;

/** Seconds until the next sweep of an app: after one that deleted rows, and after one that found none. */
const SWEEP_S = HOUR;
const IDLE_SWEEP_S = 24 * HOUR;

type Rounds<Names extends readonly string[]> = Readonly<Record<Names[number], RunRound>>;

/** A round that does `work` and is due again `seconds` after its end. */
const every =
  (seconds: number, work: (round: TakenRound) => Promise<unknown>): RunRound =>
  async (round) => {
    await work(round);
    return seconds;
  };

/** Like {@link every}, for work over apps: stores the apps for which it failed. */
const overApps = (db: Db, seconds: number, work: (round: TakenRound) => ReturnType<typeof forApps>) =>
  every(seconds, async (round) => noteFailingApps(db, round.name, await work(round)));

/** The rounds of the installation. Each finds due work by an index, so none costs more with more apps. */
export function installationRounds(db: Db): Rounds<typeof INSTALLATION_ROUNDS> {
  const spread = { figures: HOUR, checks: LOOK_S, "retention of an app": IDLE_SWEEP_S };
  return {
    changes: every(15, ({ seenAt }) => markChangedApps(db, seenAt)),
    inbox: overApps(db, 10, ({ seenAt }) =>
      forApps(db, appsWithOpenEvents(seenAt), applyDueEvents, "waiting events of an app were not applied"),
    ),
    campaigns: overApps(db, 30, () =>
      forApps(db, APPS_WITH_DUE_CAMPAIGNS, endDueCampaigns, "campaigns that are due were not ended"),
    ),
    "places in line": overApps(db, MINUTE, () =>
      forApps(db, APPS_WITH_ENDED_PLACES, endAllPlaces, "places in line of an app were not ended"),
    ),
    holds: overApps(db, MINUTE, () =>
      forApps(db, APPS_WITH_ENDED_HOLDS, endHolds, "holds of an app were not ended"),
    ),
    quota: every(MINUTE, () => markQuotas(db)),
    backlogs: every(MINUTE, () => watchBacklogs(db)),
    domains: every(10 * MINUTE, () => watchDomains(db)),
    retention: every(5 * MINUTE, () => sweepInstallation(db)),
    "new apps": every(5 * MINUTE, ({ seenAt }) => addRounds(db, seenAt, spread)),
    demo: every(MINUTE, () => renewDemo(db)),
  };
}

/** The rounds of each app, due after a change and at intervals. A deleted app keeps them, because it may be restored. */
export function appRounds(db: Db): Rounds<typeof APP_ROUNDS> {
  return {
    figures: async ({ appId }) => ((await rollUp(db, appId)) ? ROLL_UP_S : null),
    checks: ({ appId }) => checkApp(db, appId),
    "retention of an app": ({ appId }) => sweepRound(db, appId),
    "weekly email": async ({ appId }) => {
      const ctx = await findSystemContext(db, appId);
      return ctx ? sendWeeklyEmails(ctx) : LOOK_S;
    },
  };
}

/** Refills pools, sets codes aside for overlooked referees, and notifies. A failed step fails the round after all have run. */
async function checkApp(db: Db, appId: string): Promise<number> {
  const ctx = await findSystemContext(db, appId);
  if (!ctx) return LOOK_S;
  const failures: unknown[] = [];
  for (const step of [refillPools, setAsideOverlooked])
    await step(ctx).catch((error: unknown) => failures.push(error));
  const seconds = await watchApp(ctx);
  if (failures.length > 0) throw failures[0];
  return seconds;
}

async function sweepRound(db: Db, appId: string): Promise<number> {
  return (await sweepApp(db, appId, await databaseTime(db))) > 0 ? SWEEP_S : IDLE_SWEEP_S;
}

/** All rounds as two queues: those of the installation are short, while some of an app's take seconds. */
function roundQueues(db: Db): Queue<TakenRound>[] {
  return [
    roundQueue(db, "installation", installationRounds(db), { concurrency: 2 }),
    roundQueue(db, "apps", appRounds(db), { concurrency: 2 }),
  ];
}

/**
 * Runs every queue and round in this process. Deliveries, emails, alerts and code requests use a few separate
 * connections, so they do not compete with requests. Returns the function that stops all and waits for their work.
 */
export function startQueues(): () => Promise<void> {
  const { DATABASE_URL: url, DATABASE_POOLER } = env();
  if (!url) return async () => undefined;
  const db = openDatabase({ url, sessions: DATABASE_POOLER === "none", size: BACKGROUND_CONNECTIONS });
  const queues = [webhookQueue(db), emailQueue(db), alertQueue(db), codeRequestQueue(db)];
  const stop = runQueues(db, [...queues, ...roundQueues(database())]);
  return async () => {
    await stop();
    closeTransport();
    await db.close();
  };
}
