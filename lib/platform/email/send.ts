import { uuidv7 } from "uuidv7";
import type { Db } from "@/lib/platform/db/client";
import { emails } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";

export interface NewEmail {
  to: string;
  subject: string;
  /** Plain text; its lines are sent unchanged. */
  text: string;
  /** For emails that a user may switch off: a POST to it does so, without signing in. */
  unsubscribeUrl?: string;
}

/**
 * Queues an email to be sent within seconds. Pass the transaction of its cause as `db`: neither happens without the
 * other, and a mail server that is away delays nothing.
 */
export async function sendEmail(db: Db, { to, subject, text, unsubscribeUrl }: NewEmail): Promise<void> {
  // A subject is one line; it may contain names that users chose.
  const line = subject.replace(/\s+/g, " ").trim();
  await db.orm.insert(emails).values({ id: uuidv7(), recipient: to, subject: line, text, unsubscribeUrl });
}

/** The full address of a page, for links in emails. */
export function pageAddress(path: string): string {
  return env().APP_URL + path;
}
