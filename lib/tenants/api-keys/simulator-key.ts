import { createHash } from "node:crypto";
import { and, eq, isNotNull, lt, or, sql } from "drizzle-orm";
import { SCOPES } from "@/lib/contract/api-key";
import { apiKeys } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import type { Context } from "@/lib/tenants/context";
import type { CreatedKey } from "./create";
import { generateKeyText, hashKey } from "./text";
import { forgetKey } from "./verify";

/** Longer than a journey takes; it ends the key of a process that was killed meanwhile. */
const LIFE_S = 300;

/** The name that the request log and the list of keys show. */
export const SIMULATOR_KEY_NAME = "Journey simulator";

/** The id of the app's simulator key, always the same, so that the list of keys has one row for all journeys. */
function simulatorKeyId(appId: string): string {
  const hex = createHash("sha256").update(`simulator key ${appId}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Enables a key with every scope and a new text for one journey of the simulator. Throws CONFLICT in a live app and
 * while another journey uses the key: one of several simultaneous calls gets it.
 */
export async function enableSimulatorKey(ctx: Context): Promise<CreatedKey> {
  if (!ctx.app.sandbox) fail("CONFLICT", "The journey can be simulated only in a sandbox app");
  const id = simulatorKeyId(ctx.app.id);
  const key = generateKeyText(true);
  const own = and(eq(apiKeys.appId, ctx.app.id), eq(apiKeys.id, id));
  const fresh = {
    keyHash: hashKey(key),
    prefix: key.slice(0, 12),
    lastFour: key.slice(-4),
    expiresAt: sql`now() + make_interval(secs => ${LIFE_S})`,
    revokedAt: null,
  };
  await ctx.db.transaction(async (db) => {
    // No constraint makes the id unique, so the first two journeys of an app wait for each other here.
    await db.orm.execute(sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`);
    const [present] = await db.orm.select({ id: apiKeys.id }).from(apiKeys).where(own);
    if (!present) {
      const row = { id, appId: ctx.app.id, name: SIMULATOR_KEY_NAME, scopes: [...SCOPES] };
      await db.orm.insert(apiKeys).values({ ...row, ...fresh });
      return;
    }
    const taken = await db.orm
      .update(apiKeys)
      .set(fresh)
      .where(and(own, or(isNotNull(apiKeys.revokedAt), lt(apiKeys.expiresAt, sql`now()`))))
      .returning({ id: apiKeys.id });
    if (taken.length === 0) fail("CONFLICT", "A journey is already being simulated. Wait until it has ended");
  });
  await forgetKey(id);
  return { id, key, scopes: SCOPES };
}

/** Ends the key at once, after its journey. */
export async function disableSimulatorKey({ db, app }: Context, { id, key }: CreatedKey): Promise<void> {
  await db.orm
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKeys.appId, app.id), eq(apiKeys.id, id), eq(apiKeys.keyHash, hashKey(key))));
  await forgetKey(id);
}
