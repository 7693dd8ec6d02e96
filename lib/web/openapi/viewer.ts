import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Text of the bundle, and its replacement. */
const CHANGES = [
  // The vendor's logo would be loaded from another server, which must not learn about readers.
  [
    "https://cdn.redoc.ly/redoc/logo-mini.svg",
    "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  ],
  // Redoc adds its first style before it reads the nonce from its options.
  ["r.nc=void 0", "r.nc=document.currentScript.nonce"],
] as const;

/** Redoc's installed bundle with {@link CHANGES}. Throws if a new version lacks the text of a change. */
export async function viewerScript(): Promise<string> {
  const file = join(process.cwd(), "node_modules/redoc/bundles/redoc.standalone.js");
  return CHANGES.reduce(change, await readFile(file, "utf8"));
}

function change(text: string, [from, to]: (typeof CHANGES)[number]): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`Redoc contains ${parts.length - 1} times, not once: ${from}`);
  return parts.join(to);
}
