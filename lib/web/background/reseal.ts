import { type Db, database } from "@/lib/platform/db/client";
import { repeat } from "@/lib/platform/jobs/repeat";
import { log } from "@/lib/platform/log";
import { resealTable, type SealedTable } from "@/lib/platform/secrets/reseal";
import { readSecondFactor } from "@/lib/tenants/two-factor/seal";

const SECRETS = { secret: "enabled", former_secret: "grace" } as const;

const key = ["app_id", "id"];
const TABLES: readonly SealedTable[] = [
  { name: "provider_connections", key, columns: { ...SECRETS, signing_secret: "enabled" } },
  { name: "webhook_endpoints", key, columns: SECRETS },
  { name: "alert_channels", key, columns: { target: "enabled" } },
  { name: "app_store_keys", key: ["app_id"], columns: { private_key: "app" } },
  {
    name: "users",
    key: ["id"],
    columns: { totp_secret: "logged" },
    read: (stored, id) => readSecondFactor(Buffer.from(stored), id),
  },
];

/** Logs the stored secrets that no key opens. With `seals`, seals all others with the first key of the environment. */
export async function resealSecrets(db: Db, seals = true): Promise<void> {
  for (const table of TABLES) {
    const { sealed, unreadable, inUse } = await resealTable(db, table, seals);
    if (sealed > 0) log().info({ table: table.name, sealed }, "secrets were sealed with the first key");
    if (unreadable > 0)
      log().error(
        { table: table.name, unreadable, inUse },
        "secrets that no key of SEALING_KEYS or AUTH_SECRET opens",
      );
  }
}

/** Milliseconds between two passes; by the second, processes of the previous version, which read no sealed text, have ended. */
const RESEAL_MS = 15 * 60_000;

/**
 * Looks for secrets that no key opens, at once and every quarter of an hour, because a connection with one refuses every
 * provider event. With `seals`, all passes but the first also seal. Health shows the unreadable secrets in use.
 */
export function watchSecrets(seals: boolean): () => void {
  let mayWrite = false;
  return repeat({
    everyMs: RESEAL_MS,
    atOnce: true,
    round: () => {
      const pass = resealSecrets(database(), mayWrite);
      mayWrite = seals;
      return pass;
    },
    failure: "secrets could not be read, or sealed with the first key, and are tried again",
  });
}
