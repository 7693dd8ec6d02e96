import { asc, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { database } from "@/lib/platform/db/client";
import { accountTokens, emails } from "@/lib/platform/db/schema";
import { signUp } from "@/lib/tenants/sign-up/sign-up";
import { verifyEmail } from "@/lib/tenants/sign-up/verify-email";

let last = 0;

/** A network address per caller, so that tests do not share limits. */
export function nextAddress(): string {
  last += 1;
  return `198.51.${last >> 8}.${last & 255}`;
}

/** The input of a sign-up for a new account. */
export const newUser = () => ({
  email: `${uuidv7()}@example.com`,
  name: "Ann Ash",
  password: "correct horse",
  address: nextAddress(),
});

/** The emails to an address, oldest first. */
export const emailsTo = (email: string) =>
  database().orm.select().from(emails).where(eq(emails.recipient, email)).orderBy(asc(emails.id));

/** The secret part of the link in the newest email. */
export async function emailedToken(email: string, page: "verify" | "reset"): Promise<string> {
  const sent = await emailsTo(email);
  return new RegExp(`/${page}/([\\w-]{43})`).exec(sent.at(-1)?.text ?? "")?.[1] ?? "no link";
}

/** Lets the emailed links of an address expire. */
export const expireLinks = (email: string) =>
  database().orm.update(accountTokens).set({ expiresAt: sql`now()` }).where(eq(accountTokens.email, email));

/** A user who has signed up and verified the address, with a session. */
export async function signedUpUser() {
  const input = newUser();
  await signUp(database(), input);
  const token = await emailedToken(input.email, "verify");
  return { ...input, session: await verifyEmail(database(), { ...input, token }) };
}
