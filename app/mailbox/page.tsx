import { Inbox } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { MailText } from "@/components/account/mail-text";
import { Callout } from "@/components/ui/callout";
import { EmptyState } from "@/components/ui/empty-state";
import { LocalTime } from "@/components/ui/local-time";
import { mailboxOpen } from "@/lib/mail/mailbox";
import { findMailbox } from "@/lib/session/mailbox";

export const metadata: Metadata = { title: "Mailbox", robots: { index: false } };

export default async function MailboxPage() {
  if (!mailboxOpen()) notFound();
  const mails = await findMailbox();
  return (
    <main className="mx-auto grid max-w-3xl grid-cols-1 gap-6 px-5 py-12">
      <header className="grid gap-1">
        <h1 className="text-2xl font-semibold tracking-tight">Mailbox</h1>
        <p className="text-sm text-muted">Every mail of this service, the newest first.</p>
      </header>
      <Callout tone="warn">
        Whoever can open this page can open every account. It is for development; in production set SMTP_URL.
      </Callout>
      {mails.length === 0 && (
        <EmptyState icon={Inbox} title="No mail yet">
          Sign up or ask for a new password: the mail appears here at once.
        </EmptyState>
      )}
      <ul className="grid grid-cols-1 gap-4">
        {mails.map(({ id, recipient, subject, text, createdAt }) => (
          <li key={id}>
            <article className="grid grid-cols-1 gap-3 rounded-xl border border-line bg-surface p-5">
              <header className="grid gap-0.5">
                <h2 className="text-sm font-semibold">{subject}</h2>
                <p className="text-[13px] break-all text-muted">
                  To {recipient} · <LocalTime at={createdAt} shape="second" />
                </p>
              </header>
              <MailText text={text} />
            </article>
          </li>
        ))}
      </ul>
    </main>
  );
}
