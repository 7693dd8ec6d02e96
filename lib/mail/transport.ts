import { createTransport } from "nodemailer";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { mailboxOpen } from "@/lib/mail/mailbox";
import { forget, shared } from "@/lib/shared";

/** A mail as it lies in the queue. */
export interface QueuedMail {
  id: string;
  recipient: string;
  subject: string;
  text: string;
}

/** Hands one mail on; throws where it was not taken. */
export type Deliver = (mail: QueuedMail) => Promise<void>;

const SECOND = 1_000;

/** Connections are kept for a while and are at most three, so that a hundred mails are not a hundred greetings. */
function openSmtp(url: string) {
  const wait = { connectionTimeout: 10 * SECOND, greetingTimeout: 10 * SECOND, socketTimeout: 20 * SECOND };
  return createTransport({ url, pool: true, maxConnections: 3, ...wait });
}

const smtp = (url: string) => shared("mail.smtp", () => openSmtp(url));

/** Lets go of the connections to the mail server, if there are any. */
export function closeTransport(): void {
  const { SMTP_URL } = env();
  if (SMTP_URL) smtp(SMTP_URL).close();
  forget("mail.smtp");
}

/** Through the mail server of `SMTP_URL`. The id of the mail is in its Message-ID, so a second copy is known as one. */
async function bySmtp(url: string, { id, recipient, subject, text }: QueuedMail): Promise<void> {
  const host = new URL(env().APP_URL).hostname;
  const headers = { "Auto-Submitted": "auto-generated" };
  const messageId = `<${id}@${host}>`;
  await smtp(url).sendMail({ from: env().MAIL_FROM, to: recipient, subject, text, messageId, headers });
}

/** Without a mail server the operator finds the text, with its links, on the log. */
function byLog({ recipient, subject, text }: QueuedMail): void {
  log().info({ to: recipient, subject, text }, "mail (SMTP_URL is not set)");
}

/** Delivers as the environment says. */
export const deliver: Deliver = async (mail) => {
  const { SMTP_URL } = env();
  if (SMTP_URL) await bySmtp(SMTP_URL, mail);
  else if (!mailboxOpen()) byLog(mail);
  else log().info({ to: mail.recipient, subject: mail.subject }, `mail: ${env().APP_URL}/mailbox`);
};
