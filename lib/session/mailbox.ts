import { database } from "@/lib/db/client";
import { readMailbox, type ShownMail } from "@/lib/mail/mailbox";

/** The mails of the mailbox page. */
export function findMailbox(): Promise<ShownMail[]> {
  return readMailbox(database());
}
