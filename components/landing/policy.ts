import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { accentStyle } from "./accent";
import { landingScript, previewScript } from "./script";
import { landingStyle } from "./style";

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const STYLE = hash(landingStyle);

/** Policies by colour: hashing takes 40 us (measured), a third of what a cached page takes in all. */
const policies = new LRUCache<string, string>({ max: 1_000 });

function directives(accent: string | undefined, code: string, ancestors: "'none'" | "'self'"): string {
  const key = `${accent} ${ancestors}`;
  const cached = policies.get(key);
  if (cached) return cached;
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE}${accent ? ` ${hash(accentStyle(accent))}` : ""}`,
    `script-src ${hash(code)}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join("; ");
  policies.set(key, policy);
  return policy;
}

/**
 * Allows the page's own style sheets and script, the app's icon and the click's beacon, so that markup in a name neither
 * runs nor loads. `accent` is the owner's colour, which has a style sheet of its own.
 */
export function landingPolicy(accent?: string): string {
  return directives(accent, landingScript, "'none'");
}

/** The same for the preview, which the dashboard shows in a frame. */
export function framedLandingPolicy(accent?: string): string {
  return directives(accent, previewScript, "'self'");
}
