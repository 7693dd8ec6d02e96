import { MailCheck } from "lucide-react";
import type { MailPlace } from "@/lib/contract/mail-place";
import { TextLink } from "./text-link";

interface Props {
  place: MailPlace;
  /** What the mail is for, after "We sent you …". */
  what: string;
}

const NEXT = {
  inbox: <p>It can take a minute. Look into the folder for spam, too.</p>,
  mailbox: (
    <p>
      This service shows its mail itself: open the <TextLink href="/mailbox">mailbox</TextLink>.
    </p>
  ),
  log: <p>This service has no mail server yet: whoever runs it finds the link on its log.</p>,
};

/** What is said after a form that ends in a mail, whether there is an account or not. */
export function CheckMail({ place, what }: Props) {
  return (
    <div
      role="status"
      className="grid justify-items-center gap-3 rounded-xl border border-line bg-surface p-6"
    >
      <span className="grid size-10 place-items-center rounded-full bg-good-soft text-good">
        <MailCheck className="size-5" aria-hidden />
      </span>
      <div className="grid gap-1.5 text-center text-sm text-muted">
        <p className="font-medium text-ink">Check your mail</p>
        <p>{what}</p>
        {NEXT[place]}
      </div>
    </div>
  );
}
