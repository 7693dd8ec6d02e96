import type { Db } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { resealTable, type SealedTable } from "@/lib/platform/secrets/reseal";
import { readSecondFactor } from "@/lib/tenants/two-factor/seal";

const TABLES: readonly SealedTable[] = [
  {
    name: "provider_connections",
    key: ["app_id", "id"],
    columns: ["secret", "former_secret", "signing_secret"],
  },
  { name: "webhook_endpoints", key: ["app_id", "id"], columns: ["secret", "former_secret"] },
  { name: "alert_channels", key: ["app_id", "id"], columns: ["target"] },
  { name: "app_store_keys", key: ["app_id"], columns: ["private_key"] },
  {
    name: "users",
    key: ["id"],
    columns: ["totp_secret"],
    read: (stored, id) => readSecondFactor(Buffer.from(stored), id),
  },
];

/** Seals every stored secret with the first key of the environment, and logs those that no key opens. */
export async function resealSecrets(db: Db): Promise<void> {
  for (const table of TABLES) {
    const { sealed, unreadable } = await resealTable(db, table);
    if (sealed > 0) log().info({ table: table.name, sealed }, "secrets were sealed with the first key");
    if (unreadable > 0)
      log().error(
        { table: table.name, unreadable },
        "secrets that no key of SEALING_KEYS or AUTH_SECRET opens",
      );
  }
}
