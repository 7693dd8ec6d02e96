import { watchAlerts } from "@/lib/alerts/watch";
import { endDueCampaigns } from "@/lib/campaigns/end-due";
import { runDueRequests, runRefills } from "@/lib/code-requests/run-due";
import { drainSpool } from "@/lib/confirmations/drain-spool";
import { judgeDue } from "@/lib/confirmations/judge-due";
import type { Context } from "@/lib/context";
import { type Db, database } from "@/lib/db/client";
import { watchDomains } from "@/lib/domains/watch-domains";
import { forEveryApp } from "@/lib/maintenance/every-app";
import { repeat } from "@/lib/maintenance/repeat";
import { mailWarnings } from "@/lib/quota/mail-warnings";
import { rollUp } from "@/lib/stats/roll-up";
import { stockOf } from "@/lib/stats/stock";
import { watchStock } from "@/lib/stats/watch-stock";
import { wakeWebhooks } from "@/lib/webhooks/wake";

const SECOND = 1_000;

/** Adds the settled events of every app to its figures. */
function rollUpRound(db: Db): Promise<void> {
  return forEveryApp(db, (ctx) => rollUp(db, ctx.app.id), "the figures of an app were not added up");
}

async function watchApp(ctx: Context): Promise<void> {
  const stock = await stockOf(ctx);
  await watchStock(ctx, stock);
  await watchAlerts(ctx, stock);
}

/** Takes in what came while the database was away, and judges what a missing piece has come for. */
async function inboxRound(db: Db): Promise<void> {
  await drainSpool(db);
  await forEveryApp(db, judgeDue, "the inbox of an app was not looked through");
}

/** What happens by itself as time passes: campaigns end, low pools and quotas that are nearly used are told of. */
async function watchRound(db: Db): Promise<void> {
  await mailWarnings(db);
  await forEveryApp(db, endDueCampaigns, "the end of a campaign was not seen");
  await forEveryApp(db, watchApp, "what is wrong in an app was not looked at");
  await forEveryApp(db, wakeWebhooks, "late deliveries of webhooks were not looked for");
}

/** Starts them in this process; returns what stops them. Any number of processes may run them. */
/** Starts all of them in this process; returns what stops them. Any number of processes may run them. */
export function startRounds(): () => void {
  const failure = "a round over all apps failed and is tried again";
  const stops = [
    repeat({ everyMs: 15 * SECOND, round: () => rollUpRound(database()), failure }),
    repeat({ everyMs: 10 * SECOND, round: () => inboxRound(database()), failure }),
    repeat({ everyMs: 600 * SECOND, round: () => watchDomains(database()), failure }),
    repeat({ everyMs: 60 * SECOND, round: () => watchRound(database()), failure }),
    repeat({ everyMs: 5 * SECOND, round: () => runDueRequests(database()), failure }),
    repeat({ everyMs: 30 * SECOND, round: () => runRefills(database()), failure }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
