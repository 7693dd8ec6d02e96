import { watchProblems } from "@/lib/outward/problems/watch";
import { type Db, database } from "@/lib/platform/db/client";
import { repeat } from "@/lib/platform/jobs/repeat";
import { endDueCampaigns } from "@/lib/program/campaigns/lifecycle";
import { runRefills } from "@/lib/program/code-requests/run-due";
import { applyDueEvents } from "@/lib/program/confirmations/apply-again";
import { drainSpool } from "@/lib/program/confirmations/spool";
import { forEveryApp } from "@/lib/program/retention/every-app";
import { rollUp } from "@/lib/program/stats/roll-up";
import { watchDomains } from "@/lib/tenants/domains/watch-domains";
import { resealSecrets } from "@/lib/web/background/reseal";

const SECOND = 1_000;

/** The first pass waits this long after the start: processes of the previous version, which read no sealed text, have ended. */
const RESEAL_SECONDS = 15 * 60;

/** Adds the settled events of every app to its figures. */
function rollUpRound(db: Db): Promise<void> {
  return forEveryApp(db, (ctx) => rollUp(db, ctx.app.id), "the figures of an app were not updated");
}

/** Stores events that arrived while the database was unavailable, and applies those whose missing part has come. */
async function inboxRound(db: Db): Promise<void> {
  await drainSpool(db);
  await forEveryApp(db, applyDueEvents, "waiting events of an app were not applied");
}

/** Ends campaigns that are due and notifies about new problems. */
async function watchRound(db: Db): Promise<void> {
  await forEveryApp(db, endDueCampaigns, "campaigns that are due were not ended");
  await watchProblems(db);
}

/** Starts all rounds in this process and returns the function that stops them. Any number of processes may run them. */
export function startRounds(): () => void {
  const failure = "a round over all apps failed and will be repeated";
  const stops = [
    repeat({ everyMs: 15 * SECOND, round: () => rollUpRound(database()), failure }),
    repeat({ everyMs: 10 * SECOND, round: () => inboxRound(database()), failure }),
    repeat({ everyMs: 600 * SECOND, round: () => watchDomains(database()), failure }),
    repeat({ everyMs: 60 * SECOND, round: () => watchRound(database()), failure }),
    repeat({ everyMs: 30 * SECOND, round: () => runRefills(database()), failure }),
    repeat({ everyMs: RESEAL_SECONDS * SECOND, round: () => resealSecrets(database()), failure }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
