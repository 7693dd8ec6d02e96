import { eq, inArray, sql } from "drizzle-orm";
import type { Scope } from "@/lib/contract/api-key";
import { broadcast, onBroadcast } from "@/lib/platform/broadcast/broadcast";
import { Cache } from "@/lib/platform/cache";
import type { Db } from "@/lib/platform/db/client";
import { GroupCommit } from "@/lib/platform/db/group-commit";
import { apiKeys, apps, workspaces } from "@/lib/platform/db/schema";
import { singleton } from "@/lib/platform/singleton";
import { appRef } from "@/lib/tenants/apps/app";
import { onAppChange } from "@/lib/tenants/apps/forget";
import type { AppRef } from "@/lib/tenants/context";
import { limitOf } from "@/lib/tenants/quota/plans";
import { forgetRefusals } from "./refusals";
import { hashKey, isKeyText } from "./text";

/** The part of a key that requests need. */
export interface KeyRecord {
  id: string;
  scopes: readonly Scope[];
  app: AppRef;
  workspaceId: string;
  /** Requests per month of the workspace. */
  quota: number;
  /** Requests per day (UTC). */
  dailyBudget: number | null;
  /** Codes, and new referrers, of one address in 24 hours; null where servers hold the key. */
  addressCap: number | null;
  /** The name under which its limits count. Lifting them changes it, in every process and store. */
  limitsId: string;
}

/** Whether a rotated key's grace period is over, by the clock that set its end: a process's may be wrong by hours. */
export const hasExpired = sql<boolean>`coalesce(${apiKeys.expiresAt} <= now(), false)`;

/**
 * The record of a valid key; undefined for a missing, malformed, unknown, expired or revoked one. A wrong checksum costs
 * no look-up; a well-formed key is looked up once per process in 5 seconds.
 */
export async function verifyKey(db: Db, text: string | null): Promise<KeyRecord | undefined> {
  if (text === null || !isKeyText(text)) return undefined;
  const hash = hashKey(text);
  return keyCache().get(nameOf(hash), async () => (await lookUpsOf(db).run(hash)).record);
}

const nameOf = (hash: Buffer) => hash.toString("base64");

/** The record of a key; absent for an invalid one. */
interface Found {
  record?: KeyRecord | undefined;
}

/** Maximum keys that one statement looks up. */
const MOST_TOGETHER = 1_000;

/** Two statements at once look up all keys that wait, so that invented ones do not take the pool from valid ones. */
function lookUpsOf(db: Db): GroupCommit<Buffer, Found> {
  const byDatabase = singleton("key-look-ups", () => new WeakMap<Db, GroupCommit<Buffer, Found>>());
  const lookUps =
    byDatabase.get(db) ??
    new GroupCommit<Buffer, Found>({
      runAlone: async (hash) => (await loadKeys(db, [hash]))[0] ?? {},
      runTogether: (hashes) => loadKeys(db, hashes),
      failsForAll: true,
      conflictKeys: (hash) => [nameOf(hash)],
      onEmpty: () => undefined,
      most: MOST_TOGETHER,
    });
  byDatabase.set(db, lookUps);
  return lookUps;
}

/** The records of keys, in their order. */
async function loadKeys(db: Db, hashes: readonly Buffer[]): Promise<Found[]> {
  const rows = await db.orm
    .select({ key: apiKeys, expired: hasExpired, app: apps, workspace: workspaces })
    .from(apiKeys)
    .innerJoin(apps, eq(apps.id, apiKeys.appId))
    .innerJoin(workspaces, eq(workspaces.id, apps.workspaceId))
    .where(inArray(apiKeys.keyHash, hashes));
  const found = new Map<string, KeyRecord>();
  for (const { key, expired, app, workspace } of rows) {
    if (key.revokedAt || expired || app.deletedAt) continue;
    found.set(nameOf(key.keyHash), {
      id: key.id,
      scopes: key.scopes as Scope[],
      app: appRef(app),
      workspaceId: workspace.id,
      quota: limitOf(workspace),
      dailyBudget: key.dailyBudget,
      addressCap: key.addressCap,
      limitsId: `${key.id}.${key.limitsLiftedAt?.getTime() ?? 0}`,
    });
  }
  return hashes.map((hash) => ({ record: found.get(nameOf(hash)) }));
}

/** The specification's limit for a revocation to reach every process; a grace period ends that much later at most. */
const TTL_MS = 5_000;

/** Unknown keys with a right checksum are cached too, so the cache needs a bound. */
const CAPACITY = 20_000;

/** Recently looked-up keys by hash; revoked and unknown ones as undefined. */
export const keyCache = () =>
  singleton("key-cache", () => {
    const cache = new Cache<KeyRecord | undefined>(TTL_MS, CAPACITY);
    // Drops misses too, so that the keys of a restored app work again.
    onAppChange((appId) => cache.forgetWhere((record) => !record || record.app.id === appId));
    return cache;
  });

const KIND = "api-key";

/** Drops a key from the cache of every process on this machine; other machines follow within 5 seconds. */
export async function forgetKey(keyId: string): Promise<void> {
  forgetHere(keyId);
  await broadcast({ kind: KIND, keyId });
}

/** To be called once by every process that serves requests. */
export function listenForForgottenKeys(): void {
  onBroadcast(KIND, ({ keyId }) => {
    if (typeof keyId === "string") forgetHere(keyId);
  });
}

function forgetHere(keyId: string): void {
  keyCache().forgetWhere((record) => record?.id === keyId);
  forgetRefusals(keyId);
}
