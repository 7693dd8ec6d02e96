import { createHash } from "node:crypto";
import { accentStyle } from "./accent";
import { previewScript, script } from "./script";
import { style } from "./style";

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const STYLE = hash(style);

/** By colour: hashing costs 40 us (measured), a third of what a kept page costs in all. */
const known = new Map<string, string>();
const MOST_KNOWN = 1_000;

function directives(accent: string | undefined, code: string, ancestors: "'none'" | "'self'"): string {
  const key = `${accent} ${ancestors}`;
  const found = known.get(key);
  if (found) return found;
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
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, policy);
  return policy;
}

/**
 * Nothing but the page's own texts, the app's icon and the click's beacon: whatever a stranger's name smuggles in
 * neither runs nor loads. `accent` is the owner's colour, whose style sheet is a text of its own.
 */
export function policyOf(accent?: string): string {
  return directives(accent, script, "'none'");
}

/** The same for the preview, which stands in a frame of the dashboard. */
export function framedPolicyOf(accent?: string): string {
  return directives(accent, previewScript, "'self'");
}
