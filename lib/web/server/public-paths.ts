import { readFileSync } from "node:fs";
import { join } from "node:path";
import { docsLibrary } from "@/lib/web/docs/library";

/** A path that no page has: the framework answers it with its page for unknown addresses. */
const NOWHERE = "/not-found";

/**
 * The same below the guides. Their route renders the page like any guide, within their frame, because the framework would
 * render its own in the browser; `public-pages.ts` sets the status.
 */
export const NOWHERE_IN_DOCS = "/docs/not-found";

/** Pages for everyone, whose text depends on these parameters of the query only. */
const PARAMETERS: Record<string, string[]> = {
  "/": ["demo"],
  "/docs": [],
  "/sign-in": ["next", "error", "done"],
  "/sign-up": ["next"],
  "/reset": ["next"],
};

/** Addresses below the guides that are not guides. */
const OF_DOCS = new Set(["/docs/search", "/docs/search.json"]);

/** Where the build lists the addresses of its pages and routes. */
const MANIFEST = ".next/app-path-routes-manifest.json";

/** Returns the path under which the page of a request is the same for every visitor; undefined if it may differ. */
export function publicPaths(root = process.cwd()): (url: string) => string | undefined {
  // Leaves out the catch-all routes, which only add the frame that a signed-in reader sees around a missing page.
  const routes: Record<string, string> = JSON.parse(readFileSync(join(root, MANIFEST), "utf8"));
  const addresses = Object.values(routes).filter((address) => !address.includes("[...missing]"));
  const known = new RegExp(`^(?:${addresses.map(pattern).join("|")})$`);
  const guides = new Set(docsLibrary().pages.map(({ href }) => href));
  const nowhere = (path: string) =>
    !path.startsWith("/_next/") && !(isInDocs(path) ? OF_DOCS.has(path) : known.test(path));
  return (url) => {
    const [whole = "", query = ""] = url.split("?", 2);
    const path = whole.replace(/(?<=.)\/$/, "");
    if (guides.has(path)) return path;
    const parameters = Object.hasOwn(PARAMETERS, path) ? PARAMETERS[path] : undefined;
    if (!parameters && nowhere(path)) return isInDocs(path) ? NOWHERE_IN_DOCS : NOWHERE;
    if (!parameters) return undefined;
    const given = new URLSearchParams(query);
    return parameters.some((name) => given.has(name)) ? undefined : path;
  };
}

const isInDocs = (path: string) => path.startsWith("/docs/");

/** A route's address, such as `/docs/[...path]`, as a regular expression. */
function pattern(address: string): string {
  return address
    .replace(/[.*+?^${}()|\\]/g, "\\$&")
    .replace(/\/\[\[\\\.\\\.\\\.\w+\]\]/g, "(?:/.+)?")
    .replace(/\[\\\.\\\.\\\.\w+\]/g, ".+")
    .replace(/\[\w+\]/g, "[^/]+");
}
