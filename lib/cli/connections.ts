import type { Env } from "@/lib/env";
import { MAX_CONNECTIONS } from "@/lib/postgres/settings";

/** Left to commands, migrations and the server's own workers. */
const RESERVED = 10;

/** Throws one line where the web processes' pools together would use up the embedded server. */
export function assertConnections(settings: Env, processes: number): void {
  const { DATABASE_URL, DATABASE_POOL_SIZE } = settings;
  const most = MAX_CONNECTIONS - RESERVED;
  if (DATABASE_URL || processes * DATABASE_POOL_SIZE <= most) return;
  throw new Error(
    `Bad environment variable DATABASE_POOL_SIZE: ${processes} web processes (WEB_PROCESSES) with ` +
      `${DATABASE_POOL_SIZE} connections each need more than the ${most} of the embedded PostgreSQL`,
  );
}
