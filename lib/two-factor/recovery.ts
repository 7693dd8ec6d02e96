import { createHash, randomBytes } from "node:crypto";
import { and, count, eq, isNull } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { recoveryCodes } from "@/lib/db/schema";

const NUMBER = 10;

/** Crockford's alphabet: no letter is taken for a digit. 16 of them are 80 bits, which no thief of the table tries. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 16;

function newCode(): string {
  return [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % 32]).join("");
}

const hashOf = (code: string) => createHash("sha256").update(code).digest();

/** Gives a person ten new recovery codes in place of all before, as text that exists only here. */
export async function replaceRecoveryCodes(db: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: NUMBER }, newCode);
  await db.orm.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await db.orm.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(code) })));
  return codes.map((code) => code.replace(/(.{4})(?!$)/g, "$1-"));
}

/** Uses a recovery code up; false for a wrong or a used one. `code` is upper case, without its dashes. */
export async function takeRecoveryCode(db: Db, userId: string, code: string): Promise<boolean> {
  const mine = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashOf(code)));
  const taken = await db.orm
    .update(recoveryCodes)
    .set({ usedAt: new Date() })
    .where(and(mine, isNull(recoveryCodes.usedAt)));
  return (taken.rowCount ?? 0) > 0;
}

/** How many recovery codes a person has left. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const [row] = await db.orm
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.left ?? 0;
}
