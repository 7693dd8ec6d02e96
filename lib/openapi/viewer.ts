import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What the bundle does not do as our pages need it, and what it does instead. */
const CHANGES = [
  // Its maker's mark would come from another server: nobody but us needs to know who reads our reference.
  [
    "https://cdn.redoc.ly/redoc/logo-mini.svg",
    "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  ],
  // It takes a nonce as an option, but adds its first style before it has read any.
  ["r.nc=void 0", "r.nc=document.currentScript.nonce"],
] as const;

/** Redoc's bundle as installed, with {@link CHANGES}. Throws where a new version has no place for one. */
export async function viewerScript(): Promise<string> {
  const file = join(process.cwd(), "node_modules/redoc/bundles/redoc.standalone.js");
  return CHANGES.reduce(change, await readFile(file, "utf8"));
}

function change(text: string, [from, to]: (typeof CHANGES)[number]): string {
  const parts = text.split(from);
  if (parts.length !== 2)
    throw new Error(`Redoc has ${parts.length - 1} places for a change, not one: ${from}`);
  return parts.join(to);
}
