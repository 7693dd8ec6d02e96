import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import pLimit from "p-limit";
import { isUuid } from "@/lib/contract/fields";
import { type Db, database } from "@/lib/platform/db/client";
import { appIcons, apps } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { singleton } from "@/lib/platform/singleton";
import { appSubject } from "@/lib/tenants/apps/app";
import { changesOf, refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

/**
 * Maximum icons looked up at once, so that strangers who invent addresses leave most of the pool to the API, and those that
 * wait, for two seconds at most.
 */
const CONCURRENT = 2;
const MAX_WAITING = 200;
const MAX_WAIT_MS = 2_000;

/** The icon at a public address: the app's id and the SHA-256 of the bytes. Throws SERVICE_UNAVAILABLE over the bounds. */
export async function findIcon(
  appId: string,
  hash: string,
): Promise<{ type: string; bytes: Buffer } | undefined> {
  if (!isUuid(appId) || !/^[0-9a-f]{64}$/.test(hash)) return undefined;
  const limit = singleton("icons.look-ups", () => pLimit(CONCURRENT));
  const latest = performance.now() + MAX_WAIT_MS;
  const refuse = () => fail("SERVICE_UNAVAILABLE", "Too many icons are being loaded, try again shortly");
  if (limit.pendingCount >= MAX_WAITING) refuse();
  const [icon] = await limit(async () => {
    if (performance.now() > latest) refuse();
    return database()
      .orm.select({ type: appIcons.type, bytes: appIcons.bytes })
      .from(appIcons)
      .where(and(eq(appIcons.appId, appId), eq(appIcons.hash, hash)));
  });
  return icon;
}

const MAX_BYTES = 200_000;
const MIN_SIDE = 16;
const MAX_SIDE = 1_024;
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** Width and height are at fixed offsets in the first chunk of a PNG file. */
function isSquarePng(bytes: Buffer): boolean {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(SIGNATURE)) return false;
  const width = bytes.readUInt32BE(16);
  return width === bytes.readUInt32BE(20) && width >= MIN_SIDE && width <= MAX_SIDE;
}

/**
 * Decodes an icon and encodes its pixels again, so that nothing else in the file is ever served: text, profiles, or
 * another format behind the picture. Other formats and large pictures never reach the decoder. Throws VALIDATION_ERROR.
 */
export async function cleanIcon(icon: string): Promise<Buffer> {
  const refuse = () =>
    fail("VALIDATION_ERROR", "icon must be a square PNG image of at most 200 kB", { field: "icon" });
  const bytes = Buffer.from(icon, "base64");
  if (bytes.length > MAX_BYTES || !isSquarePng(bytes)) return refuse();
  const { default: sharp } = await import("sharp");
  const picture = sharp(bytes, { limitInputPixels: MAX_SIDE ** 2, failOn: "warning" });
  return picture.png({ compressionLevel: 9 }).toBuffer().catch(refuse);
}

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Replaces the icon of an app with a cleaned one; null removes it. */
export async function replaceIcon(db: Db, appId: string, bytes: Buffer | null): Promise<void> {
  const hash = bytes && hashOf(bytes);
  await db.orm.delete(appIcons).where(eq(appIcons.appId, appId));
  if (bytes && hash) await db.orm.insert(appIcons).values({ appId, type: "image/png", hash, bytes });
  await db.orm.update(apps).set({ iconHash: hash }).where(eq(apps.id, appId));
}

/**
 * Stores an app's icon; null removes it. `icon` is a square PNG of at most 200 kB in Base64: the dashboard crops and
 * scales the chosen file. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT.
 */
export async function updateIcon(ctx: Context, icon: string | null): Promise<void> {
  const bytes = icon === null ? null : await cleanIcon(icon);
  await ctx.db.transaction(async (db) => {
    const own = db.orm.select({ icon: apps.iconHash }).from(apps).where(eq(apps.id, ctx.app.id));
    const [stored] = await own.for("update");
    if (!stored) fail("NOT_FOUND", "There is no such app");
    const { before, after } = changesOf(stored, { icon: bytes && hashOf(bytes) });
    if (Object.keys(after).length === 0) return;
    await refuseUndoing({ ...ctx, db }, ctx.app.id, before, after);
    await replaceIcon(db, ctx.app.id, bytes);
    const action = bytes ? "app.icon_changed" : "app.icon_removed";
    await recordAudit(db, ctx, { action, ...appSubject(ctx.app), before, after });
  });
}
