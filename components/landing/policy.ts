import { createHash } from "node:crypto";
import { script } from "./script";
import { style } from "./style";

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const directives = (ancestors: "'none'" | "'self'") =>
  [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join("; ");

/** Nothing but the page's own two texts: whatever a stranger's name smuggles in neither runs nor loads. */
export const policy = directives("'none'");

/** The same for the preview, which stands in a frame of the dashboard. */
export const framedPolicy = directives("'self'");
