import { and, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { accountTokens } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { hashToken, mintToken } from "@/lib/invitations/token";

export type TokenPurpose = "verify" | "reset";

/** Hours that a link in a mail works. */
const HOURS: Record<TokenPurpose, number> = { verify: 24, reset: 1 };

/** Whose link it is, and the address it was sent to. */
interface TokenHolder {
  userId: string;
  email: string;
}

/** Makes the secret part of a link; it exists nowhere but in the mail, the table has its hash. */
export async function issueToken(db: Db, purpose: TokenPurpose, holder: TokenHolder): Promise<string> {
  const { token, tokenHash } = mintToken();
  const expiresAt = new Date(Date.now() + HOURS[purpose] * 3_600_000);
  await db.orm.insert(accountTokens).values({ ...holder, tokenHash, purpose, expiresAt });
  return token;
}

const works = (text: string, purpose: TokenPurpose) =>
  and(
    eq(accountTokens.tokenHash, hashToken(text)),
    eq(accountTokens.purpose, purpose),
    isNull(accountTokens.usedAt),
    gt(accountTokens.expiresAt, new Date()),
  );

const HOLDER = { userId: accountTokens.userId, email: accountTokens.email };

/** Whose link this is, without using it up: pages are opened by mail scanners, too. Undefined where it does not work. */
export async function peekToken(
  db: Db,
  purpose: TokenPurpose,
  text: string,
): Promise<TokenHolder | undefined> {
  const [row] = await db.orm.select(HOLDER).from(accountTokens).where(works(text, purpose));
  return row;
}

/** Uses a link up, once however many try; throws NOT_FOUND for one that was used, has expired or never was. */
export async function useToken(db: Db, purpose: TokenPurpose, text: string): Promise<TokenHolder> {
  const [row] = await db.orm
    .update(accountTokens)
    .set({ usedAt: new Date() })
    .where(works(text, purpose))
    .returning(HOLDER);
  return row ?? deadLink();
}

/** Ends every link that was sent to a person. */
export async function endTokens(db: Db, userId: string): Promise<void> {
  await db.orm.delete(accountTokens).where(eq(accountTokens.userId, userId));
}

/** Throws what a link that does not work is answered with. */
export function deadLink(): never {
  return fail("NOT_FOUND", "This link was used already or has expired: ask for a new one");
}
