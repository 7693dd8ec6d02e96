import { createHash } from "node:crypto";
import { accentStyle } from "./accent";
import { previewScript, script } from "./script";
import { style } from "./style";

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const STYLE = hash(style);

function directives(accent: string | undefined, code: string, ancestors: "'none'" | "'self'"): string {
  return [
    "default-src 'none'",
    `style-src ${STYLE}${accent ? ` ${hash(accentStyle(accent))}` : ""}`,
    `script-src ${hash(code)}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join("; ");
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
