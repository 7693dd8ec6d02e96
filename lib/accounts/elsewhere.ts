import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { tryEmail } from "@/lib/accounts/email";
import { openFirstWorkspace } from "@/lib/accounts/first-workspace";
import { isInvited, requireEntry } from "@/lib/accounts/invited";
import { noticeLetter } from "@/lib/accounts/letters";
import type { User } from "@/lib/accounts/prove-password";
import { admit, type FirstStep } from "@/lib/accounts/sign-in";
import { endTokens } from "@/lib/accounts/token";
import type { Db } from "@/lib/db/client";
import { userIdentities, users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { sendMail } from "@/lib/mail/send";

export type Elsewhere = (typeof userIdentities.$inferSelect)["provider"];

/** Names of the services, for people. */
export const ELSEWHERE: Record<Elsewhere, string> = { github: "GitHub", google: "Google" };

/** An account elsewhere, as that service vouches for it. */
export interface Identity {
  provider: Elsewhere;
  providerAccountId: string;
}

interface Arrival extends Identity {
  name: string;
  /** The address, where the service has verified it; else null. */
  email: string | null;
  /** The caller's network address, for the audit log. */
  address: string;
  next?: string | undefined;
}

/**
 * Signs in who signed in elsewhere: the account that is connected; else the one with the same verified address, which
 * is connected now; else a new one, where people may sign up. A second factor is owed all the same. Throws
 * VALIDATION_ERROR without a verified address, and FORBIDDEN where sign-up is closed.
 */
export async function signInElsewhere(db: Db, arrival: Arrival): Promise<FirstStep> {
  return db.transaction(async (tx) => {
    const connected = await findConnected(tx, arrival);
    if (connected) return admit(connected);
    const email = tryEmail(arrival.email ?? "");
    if (!email) {
      const service = ELSEWHERE[arrival.provider];
      return fail(
        "VALIDATION_ERROR",
        `${service} names no verified address of yours: sign in with your password`,
      );
    }
    const user = (await findVerified(tx, email)) ?? (await welcome(tx, { ...arrival, email }));
    await connect(tx, user, arrival);
    return admit(user);
  });
}

/** Connects an account elsewhere to the one that is signed in. Throws CONFLICT where it is another's. */
export async function connectElsewhere(db: Db, userId: string, identity: Identity): Promise<void> {
  await db.transaction(async (tx) => {
    const owner = await findConnected(tx, identity);
    if (owner?.id === userId) return;
    if (owner)
      fail("CONFLICT", `This ${ELSEWHERE[identity.provider]} account belongs to another account here`);
    const [user] = await tx.orm.select().from(users).where(eq(users.id, userId));
    await connect(tx, user ?? fail("UNAUTHORIZED", "This account is gone"), identity);
  });
}

async function findConnected(db: Db, { provider, providerAccountId }: Identity): Promise<User | undefined> {
  const [row] = await db.orm
    .select({ user: users })
    .from(userIdentities)
    .innerJoin(users, eq(users.id, userIdentities.userId))
    .where(
      and(eq(userIdentities.provider, provider), eq(userIdentities.providerAccountId, providerAccountId)),
    );
  return row?.user;
}

/** An account with this address that is its owner's beyond doubt. One that nobody has confirmed is cleared away. */
async function findVerified(db: Db, email: string): Promise<User | undefined> {
  const [user] = await db.orm.select().from(users).where(eq(users.email, email)).for("update");
  if (!user || user.emailVerifiedAt) return user;
  await endTokens(db, user.id);
  await db.orm.delete(users).where(eq(users.id, user.id));
  return undefined;
}

async function welcome(db: Db, arrival: Arrival & { email: string }): Promise<User> {
  const { email, address, next } = arrival;
  await requireEntry(db, email, next);
  const name = [...arrival.name.replace(/\p{Cc}+/gu, " ").trim()].slice(0, 100).join("") || email;
  const [user] = await db.orm
    .insert(users)
    .values({ id: uuidv7(), email, name, emailVerifiedAt: new Date() })
    .onConflictDoNothing({ target: users.email })
    .returning();
  if (!user) return fail("CONFLICT", "You have just signed up elsewhere: sign in once more");
  if (!(await isInvited(db, email, next))) await openFirstWorkspace(db, { ...user, address });
  return user;
}

async function connect(db: Db, user: User, { provider, providerAccountId }: Identity): Promise<void> {
  const made = await db.orm
    .insert(userIdentities)
    .values({ provider, providerAccountId, userId: user.id })
    .onConflictDoNothing();
  if (!made.rowCount) fail("CONFLICT", "This was connected just now: sign in once more");
  const notice = `Your account was connected with ${ELSEWHERE[provider]}`;
  await sendMail(db, noticeLetter({ to: user.email, name: user.name }, notice));
}
