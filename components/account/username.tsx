/** Tells password managers whose password a form is about; nobody sees it, and it is not sent. */
export function Username({ email }: { email: string }) {
  return <input type="email" value={email} autoComplete="username" readOnly hidden />;
}
