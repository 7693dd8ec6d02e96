import { machineBacklogs } from "@/lib/outward/problems/backlogs";
import { secondsAhead } from "@/lib/platform/db/chunks";
import { database, pingDatabase } from "@/lib/platform/db/client";
import { whyNothingIsStored } from "@/lib/platform/db/outage";
import { type Backlog, lateOf } from "@/lib/platform/jobs/backlog";
import { unreadableSecrets } from "@/lib/platform/secrets/reseal";
import { singleton } from "@/lib/platform/singleton";
import type { RouteRun } from "@/lib/web/http/route";

/** Shares one result among concurrent requests, so any number of them takes one connection of the pool. */
function shared<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= load().finally(() => {
      running = undefined;
    });
    return running;
  };
}

const [ping, readBacklogs] = [shared(pingDatabase), shared(() => machineBacklogs(database()))];

/** When the pages process stopped answering this web process; unknown to a process that does not watch it. */
const away = () => singleton("pages.away", (): { known?: true; since?: number | undefined } => ({}));

/** Remembers whether the pages process has just answered. */
export function notePages(answers: boolean): void {
  Object.assign(away(), { known: true, since: answers ? undefined : (away().since ?? performance.now()) });
}

/** Unanswered pages as late work of this process, with 0 seconds while pages are answered. */
export function pagesBacklog(): Backlog[] {
  const { known, since } = away();
  const seconds = since === undefined ? 0 : (performance.now() - since) / 1_000;
  return known ? [{ name: "pages", seconds, rows: 0, app: null }] : [];
}

/**
 * `GET /ready`: 200 if the database answers; its failure becomes a 503 like every other. Load balancers that show their
 * own page while no process is ready send `database=ignore`.
 */
export const checkReadiness: RouteRun = async ({ request }) => {
  if (!/[?&]database=ignore(?:&|$)/.test(request.url)) await ping();
  return { status: 200, body: { status: "ok" } };
};

/**
 * `GET /health`: 503 like `ready`; otherwise 200, with late background work, unanswered pages, a database that refuses
 * writes, a wrong clock and unreadable secrets in the body, because the rest of the service still works.
 */
export const checkHealth: RouteRun = async () => {
  const due = lateOf([...(await readBacklogs()), ...pagesBacklog()]);
  const late = due.map(({ name, seconds }) => ({ name, seconds: Math.round(seconds) }));
  const [why, clock, secrets] = [whyNothingIsStored(), secondsAhead(), unreadableSecrets()];
  const degraded = { status: "degraded", late, database: why && `refuses writes: ${why}`, clock, secrets };
  return { status: 200, body: late.length > 0 || why || clock || secrets ? degraded : { status: "ok" } };
};

/** `GET /live`: this process answers. Contacts no other service, so an outage of the database causes no restart. */
export const checkLife: RouteRun = async () => ({ status: 200, body: { status: "ok" } });
