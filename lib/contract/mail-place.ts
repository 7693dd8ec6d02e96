/** Where a person finds a mail: with their own, on the page that shows every mail, or on the operator's log. */
export type MailPlace = "inbox" | "mailbox" | "log";
