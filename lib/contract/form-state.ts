/** What a dashboard form is told after it was sent. */
export interface FormState<Result = unknown> {
  /** The verb's result; present exactly when it succeeded. */
  ok?: { result: Result };
  error?: { message: string; field?: string | undefined };
}

/** A server action as a form uses it. */
export type FormAction<Result = unknown> = (state: FormState, form: FormData) => Promise<FormState<Result>>;
