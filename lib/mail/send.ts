import { uuidv7 } from "uuidv7";
import type { Db } from "@/lib/db/client";
import { mails } from "@/lib/db/schema";
import { env } from "@/lib/env";

export interface Mail {
  to: string;
  subject: string;
  /** Plain text; its lines are kept as they are. */
  text: string;
}

/**
 * Writes a mail to be sent within seconds. Give the transaction of its cause as `db`: neither goes without the other,
 * and a mail server that is away holds nothing up.
 */
export async function sendMail(db: Db, { to, subject, text }: Mail): Promise<void> {
  // A subject is one line; names that people chose may be in it.
  const line = subject.replace(/\s+/g, " ").trim();
  await db.orm.insert(mails).values({ id: uuidv7(), recipient: to, subject: line, text, dueAt: new Date() });
}

/** The full address of a page, for links in mails. */
export function pageAddress(path: string): string {
  return env().APP_URL + path;
}
