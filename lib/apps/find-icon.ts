import { and, eq } from "drizzle-orm";
import { isUuid } from "@/lib/contract/uuid";
import { database } from "@/lib/db/client";
import { appIcons } from "@/lib/db/schema";

/** The icon at a public address, which the app's id and the hash of the bytes make. */
export async function findIcon(
  appId: string,
  hash: string,
): Promise<{ type: string; bytes: Buffer } | undefined> {
  if (!isUuid(appId) || !/^[0-9a-f]{64}$/.test(hash)) return undefined;
  const [icon] = await database()
    .orm.select({ type: appIcons.type, bytes: appIcons.bytes })
    .from(appIcons)
    .where(and(eq(appIcons.appId, appId), eq(appIcons.hash, hash)));
  return icon;
}
