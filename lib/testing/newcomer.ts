import { asc, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { signUp } from "@/lib/accounts/sign-up";
import { verifyEmail } from "@/lib/accounts/verify-email";
import { database } from "@/lib/db/client";
import { accountTokens, mails } from "@/lib/db/schema";

let last = 0;

/** The address of a caller of their own, so that one test uses up no limit of another. */
export const nextAddress = () => `198.51.100.${++last}`;

/** Somebody who has no account yet. */
export const newcomer = () => ({
  email: `${uuidv7()}@example.com`,
  name: "Ann Ash",
  password: "correct horse",
  address: nextAddress(),
});

/** The mails to an address, the oldest first. */
export const lettersTo = (email: string) =>
  database().orm.select().from(mails).where(eq(mails.recipient, email)).orderBy(asc(mails.id));

/** The secret part of the link in the newest mail. */
export async function linkOf(email: string, page: "verify" | "reset"): Promise<string> {
  const letters = await lettersTo(email);
  return new RegExp(`/${page}/([\\w-]{43})`).exec(letters.at(-1)?.text ?? "")?.[1] ?? "no link";
}

/** As if the links to an address had been mailed long ago. */
export const expireLinks = (email: string) =>
  database()
    .orm.update(accountTokens)
    .set({ expiresAt: new Date(Date.now() - 1_000) })
    .where(eq(accountTokens.email, email));

/** Somebody who has signed up and confirmed the address. */
export async function arrived() {
  const input = newcomer();
  await signUp(database(), input);
  const token = await linkOf(input.email, "verify");
  return { ...input, session: await verifyEmail(database(), { ...input, token }) };
}
