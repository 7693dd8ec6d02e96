import { createTransport } from "nodemailer";
import { mailboxEnabled } from "@/lib/platform/email/mailbox";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { forgetSingleton, singleton } from "@/lib/platform/singleton";

/** An email of the queue. */
export interface QueuedEmail {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  unsubscribeUrl?: string | null;
}

/** Delivers one email; throws if it was not accepted. */
export type Deliver = (email: QueuedEmail) => Promise<void>;

/** At most three connections, kept open for a while, so that a hundred emails do not need a hundred logins. */
function openSmtp(url: string) {
  const wait = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
  return createTransport({ url, pool: true, maxConnections: 3, ...wait });
}

const smtp = (url: string) => singleton("email.smtp", () => openSmtp(url));

/** Closes the connections to the mail server, if there are any. */
export function closeTransport(): void {
  const { SMTP_URL } = env();
  if (SMTP_URL) smtp(SMTP_URL).close();
  forgetSingleton("email.smtp");
}

/** Sends through the mail server of `SMTP_URL`. The id is in the Message-ID, so that a second copy is recognized. */
async function bySmtp(url: string, email: QueuedEmail): Promise<void> {
  const { id, recipient, subject, text, unsubscribeUrl } = email;
  // RFC 8058: mail programs show their own button, which posts to the address.
  const oneClick = {
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
  const headers = { "Auto-Submitted": "auto-generated", ...(unsubscribeUrl && oneClick) };
  const messageId = `<${id}@${new URL(env().APP_URL).hostname}>`;
  await smtp(url).sendMail({ from: env().MAIL_FROM, to: recipient, subject, text, messageId, headers });
}

/** Logs the lines with their links, which can be copied as they are, for the operator when there is no mail server. */
function byLog({ recipient, subject, text }: QueuedEmail): void {
  const lines = text.split("\n").filter(Boolean);
  log().info({ to: recipient, subject, text: lines }, "email (SMTP_URL is not set)");
}

/** Delivers according to the environment. */
export const deliver: Deliver = async (email) => {
  const { SMTP_URL } = env();
  if (SMTP_URL) await bySmtp(SMTP_URL, email);
  else if (!mailboxEnabled()) byLog(email);
  else log().info({ to: email.recipient, subject: email.subject }, `email: ${env().APP_URL}/mailbox`);
};
