import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { databaseNow } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { accountTokens } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { generateToken, hashToken } from "@/lib/platform/secrets/random-token";

export type TokenPurpose = "verify" | "reset";

/** Hours for which an emailed link works, by the clock of the database, because those of processes may differ. */
const HOURS: Record<TokenPurpose, number> = { verify: 24, reset: 1 };

/** The account that a link belongs to, and the address that it was sent to. */
interface TokenHolder {
  userId: string;
  email: string;
}

/** Milliseconds of a slot, in which one email per address and purpose is sent. Much shorter than a link works. */
const SLOT_MS = 10 * 60_000;

/** Whether the address has an account only since the email of its slot, which therefore held no link. */
const isFirstOf = ({ userId }: TokenHolder) => sql`
  exists (select from users where id = ${userId}) and not exists (select from users where id = ${accountTokens.userId})`;

/**
 * Creates the secret part of a link. It exists in the email only; the table stores its hash. Undefined if the address
 * was sent a link minutes ago that is still unused: the mailbox holds one already, so strangers can neither flood it
 * nor use up its owner's share.
 */
export async function createAccountToken(
  db: Db,
  purpose: TokenPurpose,
  holder: TokenHolder,
): Promise<string | undefined> {
  const { token, tokenHash } = generateToken();
  const expiresAt = sql`now() + make_interval(hours => ${HOURS[purpose]})`;
  const slot = new Date(Math.floor(databaseNow() / SLOT_MS) * SLOT_MS);
  const link = { ...holder, tokenHash, expiresAt, createdAt: sql`now()` };
  const stored = await db.orm
    .insert(accountTokens)
    .values({ ...link, purpose, slot })
    .onConflictDoUpdate({
      target: [accountTokens.email, accountTokens.purpose, accountTokens.slot],
      set: link,
      setWhere: isFirstOf(holder),
    });
  return stored.rowCount ? token : undefined;
}

const isValid = (text: string, purpose: TokenPurpose) =>
  and(
    eq(accountTokens.tokenHash, hashToken(text)),
    eq(accountTokens.purpose, purpose),
    isNull(accountTokens.usedAt),
    gt(accountTokens.expiresAt, sql`now()`),
  );

const HOLDER = { userId: accountTokens.userId, email: accountTokens.email };

/** The holder of a link without using the link up: email scanners open pages too. Undefined for a dead link. */
export async function findTokenHolder(
  db: Db,
  purpose: TokenPurpose,
  text: string,
): Promise<TokenHolder | undefined> {
  const [row] = await db.orm.select(HOLDER).from(accountTokens).where(isValid(text, purpose));
  return row;
}

/** Uses a link up; of parallel calls one succeeds. Throws NOT_FOUND for a used, expired or unknown link. */
export async function consumeToken(db: Db, purpose: TokenPurpose, text: string): Promise<TokenHolder> {
  const [row] = await db.orm
    .update(accountTokens)
    .set({ usedAt: new Date(), slot: null })
    .where(isValid(text, purpose))
    .returning(HOLDER);
  return row ?? refuseLink();
}

/**
 * Deletes every link of an address, with the slots: also those of emails from before its account, or about it, which
 * would keep back the first link of the account that the address has now. Emails that have not left would bring dead links.
 */
export async function deleteTokens(db: Db, email: string): Promise<void> {
  // One statement, so that it sees both the link and the email of a request at the same time, or neither.
  await db.orm.execute(sql`
    with dead as (delete from account_tokens where email = ${email} returning created_at)
    delete from mails where recipient = ${email} and sent_at is null and failed_at is null
       and created_at in (select created_at from dead)`);
}

/** Throws the refusal of a link that does not work. */
export function refuseLink(): never {
  return fail("NOT_FOUND", "This link was already used or has expired. Request a new one");
}
