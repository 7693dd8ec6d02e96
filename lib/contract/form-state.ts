/** The state of a dashboard form after it was submitted. */
export interface FormState<Result = unknown> {
  /** The verb's result; present exactly when it succeeded. */
  ok?: { result: Result };
  error?: { message: string; field?: string | undefined };
}

/** A server action as a form uses it. */
export type FormAction<Result = unknown> = (state: FormState, form: FormData) => Promise<FormState<Result>>;

/**
 * Where the reader finds an email that a form sent: the inbox, the inbox once the service sends emails again, the page
 * of all emails, or the operator's log.
 */
export type EmailDestination = "inbox" | "late" | "mailbox" | "log";
