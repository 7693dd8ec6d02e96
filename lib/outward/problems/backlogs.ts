import { DUE_ALERTS } from "@/lib/outward/problems/post";
import { DUE_WEBHOOKS } from "@/lib/outward/webhooks/queue";
import { WEEKLY_ROUND } from "@/lib/outward/weekly/weekly-email";
import { statement } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { DUE_EMAILS } from "@/lib/platform/email/send";
import { type Backlog, backlogsOf, type DueRows, MAX_COUNTED } from "@/lib/platform/jobs/backlog";
import { dueRounds, FAILING_ROUNDS } from "@/lib/platform/jobs/rounds";
import { DUE_CODE_REQUESTS } from "@/lib/program/code-requests/run-due";
import { FAILING_EVENTS } from "@/lib/program/confirmations/apply-again";
import { spoolBacklog } from "@/lib/program/confirmations/spool";

/** The rounds of the installation, each run by one process at a time. */
export const INSTALLATION_ROUNDS = [
  "changes",
  "inbox",
  "campaigns",
  "places in line",
  "holds",
  "quota",
  "backlogs",
  "domains",
  "retention",
  "new apps",
  "demo",
] as const;

/** The rounds of an app: its figures, its refills and problems, its retention, and its weekly emails if any. */
export const APP_ROUNDS = ["figures", "checks", "retention of an app", WEEKLY_ROUND] as const;

/** The queues and rounds whose rows wait until they are due. */
const WAITING: readonly DueRows[] = [
  DUE_WEBHOOKS,
  DUE_EMAILS,
  DUE_ALERTS,
  DUE_CODE_REQUESTS,
  FAILING_EVENTS,
  FAILING_ROUNDS,
  ...INSTALLATION_ROUNDS.map((name) => dueRounds(name, "installation")),
  ...APP_ROUNDS.map((name) => dueRounds(name, "apps")),
];

const OLDEST = statement<Backlog>("oldest_due_rows", backlogsOf(WAITING));
const COUNTED = statement<Backlog>("due_rows", backlogsOf(WAITING, { limit: MAX_COUNTED }));

/** The due work of each queue and round that no process has taken: health, metrics and problems all read this. */
export const installationBacklogs = (db: Db): Promise<Backlog[]> => db.call(OLDEST, null);

/** {@link installationBacklogs}, and the events that are spooled on this machine. */
export const machineBacklogs = async (db: Db): Promise<Backlog[]> =>
  (await installationBacklogs(db)).concat(await spoolBacklog());

/** {@link machineBacklogs} with the number of rows. */
export const countedBacklogs = async (db: Db): Promise<Backlog[]> =>
  (await db.call(COUNTED, null)).concat(await spoolBacklog());
