import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { appIcons, apps } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

const MAX_BYTES = 200_000;
const MIN_SIDE = 16;
const MAX_SIDE = 1_024;
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** Width and height stand at fixed places of every PNG file's first chunk. */
function isSquarePng(bytes: Buffer): boolean {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(SIGNATURE)) return false;
  const width = bytes.readUInt32BE(16);
  return width === bytes.readUInt32BE(20) && width >= MIN_SIDE && width <= MAX_SIDE;
}

/**
 * Gives an app its icon, or takes it away with null. `icon` is a square PNG of at most 200 kB, in Base64: the dashboard
 * cuts and shrinks whatever was chosen. Throws VALIDATION_ERROR.
 */
export async function setIcon(ctx: Context, icon: string | null): Promise<void> {
  const bytes = icon === null ? null : Buffer.from(icon, "base64");
  if (bytes && (bytes.length > MAX_BYTES || !isSquarePng(bytes))) {
    fail("VALIDATION_ERROR", "icon must be a square PNG image of at most 200 kB", { field: "icon" });
  }
  const hash = bytes && createHash("sha256").update(bytes).digest("hex");
  await ctx.db.transaction(async (db) => {
    await db.orm.delete(appIcons).where(eq(appIcons.appId, ctx.app.id));
    if (bytes && hash) {
      await db.orm.insert(appIcons).values({ appId: ctx.app.id, type: "image/png", hash, bytes });
    }
    await db.orm.update(apps).set({ iconHash: hash }).where(eq(apps.id, ctx.app.id));
    const action = hash ? "app.icon_changed" : "app.icon_removed";
    await recordAudit(db, ctx, { action, subject: "app", subjectId: ctx.app.id, subjectName: ctx.app.name });
  });
}
