/**
 * As strict as the other pages' policy: only scripts and styles with this answer's nonce. The viewer searches in a
 * worker that it makes from its own text, which is what `blob:` is for; only a script that may run can make one.
 */
export function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    "worker-src blob:",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
