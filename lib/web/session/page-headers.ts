import { env } from "@/lib/platform/env";
import { hostName, isOwnHost } from "@/lib/tenants/domains/link";

/** Request header in which the proxy passes a page its own path. */
export const PATH_HEADER = "x-metacode-path";

/** Request header with the nonce of this page's scripts. */
export const NONCE_HEADER = "x-nonce";

/** The policy of one page: only scripts with its nonce run, and scripts that these load. */
export function contentSecurityPolicy(nonce: string): string {
  // The development server compiles in the browser and injects its styles.
  const dev = env().NODE_ENV === "development";
  const directives = [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ];
  return directives.join("; ");
}

/** The other security headers of every page and refusal, on an app's own domain too. */
export function securityHeaders(): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
  };
}

/**
 * Binds the service's own host, and no other, to HTTPS. An app's domain before verification or after removal shows the
 * service's pages too, but only its owner may bind its subdomains.
 */
export function transportHeaders(host: string | null | undefined): Record<string, string> {
  if (!env().APP_URL.startsWith("https:") || !isOwnHost(hostName(host ?? ""))) return {};
  return { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };
}
