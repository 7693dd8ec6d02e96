import type { AuditChange } from "./audit";

/** The state of a dashboard form after it was submitted. */
export interface FormState<Result = unknown> {
  /** The verb's result; present exactly when it succeeded. */
  ok?: { result: Result };
  error?: {
    message: string;
    field?: string | undefined;
    /** The messages of all invalid fields by their names, where more than the first are known. */
    fields?: Readonly<Record<string, string>>;
    /** Changes saved elsewhere since the form was opened, which it would undo. */
    conflict?: EditConflict | undefined;
    /** The session ended while the form was open. */
    signedOut?: boolean | undefined;
    /** A response to this form was lost, so it may be saved. */
    lost?: boolean;
  };
}

/** The stored values (`before`) and the form's (`after`) where the two differ. */
export interface EditConflict {
  changes: AuditChange[];
  /** The stored values, for {@link SEEN_FIELD} of a form whose sender has seen the conflict. */
  seen: string;
}

/** The hidden field of a form that edits stored values: the values with which it was opened, as JSON. */
export const SEEN_FIELD = "seen";

/** Identifies one submission of a form and its repetitions after a lost response. Not a field of a schema. */
export const ATTEMPT_FIELD = "$attempt";

/** A server action as a form uses it. */
export type FormAction<Result = unknown> = (state: FormState, form: FormData) => Promise<FormState<Result>>;

/** Where to find a sent email: the inbox, now or once emails are sent again, the mailbox page or the operator's log. */
export type EmailDestination = "inbox" | "late" | "mailbox" | "log";

/** The result of a form that sends an email, whether or not the address has an account. */
export interface SentEmail {
  /** As it was typed. */
  address: string;
  place: EmailDestination;
}

/** A form that signs in or up, or resets a password. Only the `invited` address can accept the invitation at `next`. */
export interface EntryProps<Result> {
  action: FormAction<Result>;
  next: string;
  invited?: string | undefined;
}

/** A form that an emailed link opens, and which continues at `next`. */
export interface LinkProps extends Omit<EntryProps<never>, "invited"> {
  token: string;
  email: string;
}
