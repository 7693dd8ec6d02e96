import { createHash, randomBytes } from "node:crypto";
import { and, count, eq, isNull } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { recoveryCodes } from "@/lib/platform/db/schema";

const NUMBER = 10;

/**
 * Crockford's alphabet, without look-alike characters. 24 characters are 120 bits: below 112, a plain hash is not enough
 * (ASVS 6.5.2).
 */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 24;

function newCode(): string {
  return [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % 32]).join("");
}

const hashOf = (code: string) => createHash("sha256").update(code).digest();

/** Replaces all recovery codes of a user with ten new ones and returns their text, which is not stored. */
export async function replaceRecoveryCodes(db: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: NUMBER }, newCode);
  await db.orm.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await db.orm.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(code) })));
  return codes.map((code) => code.replace(/(.{4})(?!$)/g, "$1-"));
}

/** Uses up a recovery code; false for a wrong or used one. `code` is upper case, without dashes. */
export async function consumeRecoveryCode(db: Db, userId: string, code: string): Promise<boolean> {
  const mine = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashOf(code)));
  const used = await db.orm
    .update(recoveryCodes)
    .set({ usedAt: new Date() })
    .where(and(mine, isNull(recoveryCodes.usedAt)));
  return (used.rowCount ?? 0) > 0;
}

/** The number of unused recovery codes of a user. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const [row] = await db.orm
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.left ?? 0;
}
