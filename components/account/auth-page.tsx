import { Inbox, type LucideIcon, MailCheck, ScrollText } from "lucide-react";
import type { ReactNode } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { EmailDestination, SentEmail } from "@/lib/contract/form-state";

/** The heading of a page before the dashboard. The notice of {@link CheckEmail} takes its place. */
export function AuthHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="grid gap-1.5 text-center wrap-anywhere has-[~[role=status]]:hidden">
      <h1 className="text-xl font-semibold tracking-tight text-balance">{title}</h1>
      {children && <p className="text-sm text-balance text-muted">{children}</p>}
    </header>
  );
}

/** Links below the form. */
export function AuthFooter({ children }: { children: ReactNode }) {
  return <p className="text-center text-sm text-muted">{children}</p>;
}

/** A link within a sentence. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="rounded-sm font-medium text-ink underline underline-offset-4 hover:text-accent"
    >
      {children}
    </Link>
  );
}

/** The page of an emailed link that no longer works; `children` say what to do. Both of its links continue to that link's target. */
export function ExpiredLink({ again, signIn, children }: Record<"again" | "signIn" | "children", string>) {
  return (
    <>
      <AuthHeading title="This link does not work">
        It has expired or was already used. {children}
      </AuthHeading>
      <Link href={again} className={buttonClass({ size: "lg" })}>
        Request a new link
      </Link>
      <AuthFooter>
        <TextLink href={signIn}>Sign in</TextLink>
      </AuthFooter>
    </>
  );
}

const NOTICE: Record<EmailDestination, { heading: string; icon: LucideIcon; next: string }> = {
  inbox: {
    heading: "Check your email",
    icon: MailCheck,
    next: "It can take a minute. Check your spam folder, too.",
  },
  late: {
    heading: "Check your email",
    icon: MailCheck,
    next: "Emails are delayed at the moment. Yours will be sent as soon as the service catches up.",
  },
  mailbox: {
    heading: "Check the mailbox",
    icon: Inbox,
    next: "This service keeps its emails in a mailbox of its own.",
  },
  log: {
    heading: "Check the service’s log",
    icon: ScrollText,
    next: "This service has no mail server. Its operator finds each email in the log, beside its address.",
  },
};

/** An address on its own line, which breaks only when it is longer than the line. */
export function AddressLine({ children }: { children: string }) {
  return <strong className="block font-medium wrap-anywhere text-ink">{children}</strong>;
}

interface CheckEmailProps {
  sent: SentEmail;
  /** The purpose of the link, before the address: "Open the link in the email to". */
  what: string;
  /** The page of the form, to begin again. */
  again: string;
  heading?: "h1" | "h2";
  /** The id of the form, which is still on the page, and whether it is being sent. */
  resend?: { form: string; pending: boolean };
}

/** The notice after a form that sends an email. It is the same whether or not the account exists. */
export function CheckEmail({ sent, what, again, heading: Heading = "h1", resend }: CheckEmailProps) {
  const { heading, icon: Icon, next } = NOTICE[sent.place];
  return (
    <div
      role="status"
      className="grid justify-items-center gap-3 rounded-xl border border-line bg-surface p-6"
    >
      <span className="grid size-10 place-items-center rounded-full bg-good-soft text-good">
        <Icon className="size-5" aria-hidden />
      </span>
      <div className="grid gap-2.5 text-center text-sm text-balance text-muted">
        <Heading className="text-lg font-semibold tracking-tight text-ink">{heading}</Heading>
        <p>
          {what} <AddressLine>{sent.address}</AddressLine>
        </p>
        <p>{next}</p>
        <div className="flex flex-wrap justify-center gap-2 py-1 empty:hidden">
          {sent.place === "mailbox" && (
            <Link href="/mailbox" className={buttonClass()}>
              Open the mailbox
            </Link>
          )}
          {resend && (
            <Button type="submit" variant="secondary" {...resend}>
              {sent.place === "log" ? "New link" : "Send again"}
            </Button>
          )}
        </div>
        <p>
          {sent.place === "log" ? "A wrong address?" : "No email, or a wrong address?"}{" "}
          {/* A full page load, because the form is hidden or gone here. */}
          <a href={again} className="rounded-sm font-medium text-ink underline underline-offset-4">
            Start again
          </a>
        </p>
      </div>
    </div>
  );
}
