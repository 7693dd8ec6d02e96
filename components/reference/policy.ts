/**
 * As strict as the policy of the other pages: only scripts and styles with the nonce of the response. `blob:` allows the
 * search worker, which the viewer creates from its own text.
 */
export function referencePolicy(nonce: string): string {
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
