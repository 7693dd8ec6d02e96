/** Every event of an account's security log, with its label. The action of a stored row never changes. */
const ACCOUNT_ACTIONS = {
  "account.confirmed": "Email address confirmed",
  "account.renamed": "Name changed",
  "code.refused": "Codes blocked after too many wrong ones",
  "code.used_up": "Too many wrong codes",
  "code.wrong": "Wrong code entered",
  "oauth.connected": "Account connected",
  "oauth.disconnected": "Account disconnected",
  "password.changed": "Password changed",
  "password.refused": "Passwords blocked after too many wrong ones",
  "password.reset": "New password set by link",
  "password.reset_requested": "Link for a new password requested",
  "password.used_up": "Too many wrong passwords",
  "password.wrong": "Wrong password entered",
  "recovery_code.renewed": "Recovery codes replaced",
  "recovery_code.used": "Recovery code used",
  "session.all_ended": "All other sessions ended",
  "session.ended": "Session ended",
  "session.signed_out": "Signed out",
  "sign_in.code_needed": "First factor accepted, code requested",
  "sign_in.succeeded": "Signed in",
  "sign_in.unconfirmed": "Sign-in refused: email address not confirmed",
  "two_factor.disabled": "Two-factor sign-in turned off",
  "two_factor.enabled": "Two-factor sign-in turned on",
} as const;

export type AccountAction = keyof typeof ACCOUNT_ACTIONS;

/** The label of a stored action; one that {@link ACCOUNT_ACTIONS} no longer knows is shown as it is. */
export function accountLabel(action: string): string {
  return ACCOUNT_ACTIONS[action as AccountAction] ?? action;
}

/** An event as its user sees it. */
export interface AccountEventLine {
  id: string;
  at: Date;
  action: string;
  /** The way it was done or its object, such as "Password" or "GitHub", or both names. */
  detail: string | null;
  /** The network address that it came from. */
  address: string;
}
