import { machineBacklogs } from "@/lib/outward/problems/backlogs";
import { secondsAhead } from "@/lib/platform/db/chunks";
import { database, pingDatabase } from "@/lib/platform/db/client";
import { whyNothingIsStored } from "@/lib/platform/db/outage";
import { type Backlog, lateOf } from "@/lib/platform/jobs/backlog";
import { unreadableSecrets } from "@/lib/platform/secrets/reseal";
import { singleton } from "@/lib/platform/singleton";
import type { RouteRun } from "@/lib/web/http/route";

/** Requests at the same time share an answer, so that however many of them take one connection of the pool. */
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

/** Since when the pages process has not answered this web process; it is not known to a process that does not look. */
const away = () => singleton("pages.away", (): { known?: true; since?: number | undefined } => ({}));

/** Remembers whether the pages process has just answered. */
export function notePages(answers: boolean): void {
  Object.assign(away(), { known: true, since: answers ? undefined : (away().since ?? performance.now()) });
}

/** Pages that are not answered, as late work of this process; its seconds are 0 while they are. */
export function pagesBacklog(): Backlog[] {
  const { known, since } = away();
  const seconds = since === undefined ? 0 : (performance.now() - since) / 1_000;
  return known ? [{ name: "pages", seconds, rows: 0, app: null }] : [];
}

/**
 * `GET /ready`: ready to serve when the database answers; its failure becomes a 503 like every other. Balancers that show
 * their own page while no process is ready ask with `database=ignore`.
 */
export const checkReadiness: RouteRun = async ({ request }) => {
  if (!/[?&]database=ignore(?:&|$)/.test(request.url)) await ping();
  return { status: 200, body: { status: "ok" } };
};

/**
 * `GET /health`: what `ready` says, late background work, pages that are not answered, a database that reads but stores
 * nothing, a wrong clock and unreadable secrets. It stays 200 then, because the rest still works.
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
