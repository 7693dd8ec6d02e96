import { Inbox } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EmailText } from "@/components/account/email-text";
import { Callout } from "@/components/ui/callout";
import { EmptyState } from "@/components/ui/empty-state";
import { NextStep } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/time";
import { mailboxEnabled } from "@/lib/platform/email/mailbox";
import { listMailbox } from "@/lib/web/session/queries";

export const metadata: Metadata = { title: "Mailbox", robots: { index: false } };

export default async function MailboxPage() {
  if (!mailboxEnabled()) notFound();
  const emails = await listMailbox();
  return (
    <main className="mx-auto grid max-w-3xl grid-cols-1 gap-6 px-5 py-12">
      <header className="grid gap-1">
        <h1 className="text-2xl font-semibold tracking-tight">Mailbox</h1>
        <p className="text-sm text-muted">Every email of this service, newest first.</p>
      </header>
      <Callout tone="warn">
        Anyone who can open this page can take over every account. It is for development only. In production,
        set SMTP_URL.
      </Callout>
      {emails.length === 0 && (
        <EmptyState icon={Inbox} title="No emails yet" action={<NextStep href="/sign-up">Sign up</NextStep>}>
          Sign up or reset a password, and the email appears here at once.
        </EmptyState>
      )}
      <ul className="grid grid-cols-1 gap-4">
        {emails.map(({ id, recipient, subject, text, createdAt }) => (
          <li key={id}>
            <article className="grid grid-cols-1 gap-3 rounded-xl border border-line bg-surface p-5">
              <header className="grid gap-0.5">
                <h2 className="text-sm font-semibold">{subject}</h2>
                <p className="text-note wrap-anywhere text-muted">
                  To {recipient} · <LocalTime at={createdAt} shape="second" />
                </p>
              </header>
              <EmailText text={text} />
            </article>
          </li>
        ))}
      </ul>
    </main>
  );
}
