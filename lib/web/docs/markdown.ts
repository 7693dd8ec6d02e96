import { env } from "@/lib/platform/env";
import { resolveLink } from "./address";
import { docsLibrary, type LibraryPage, readSource } from "./library";

const LINK = /\]\(([^()\s]+)\)/g;

/** A page as Markdown, whose links lead to the other pages as Markdown. */
export async function pageMarkdown(page: LibraryPage): Promise<string> {
  const pages = new Set(docsLibrary().pages.map(({ href }) => href));
  const text = await readSource(page);
  return text.replace(LINK, (whole, target: string) => {
    const href = resolveLink(page.file, target);
    if (!href?.startsWith("/docs")) return whole;
    const [path = "", anchor] = href.split("#");
    const address = `${env().APP_URL}${path}${pages.has(path) ? ".md" : ""}`;
    return `](${address}${anchor === undefined ? "" : `#${anchor}`})`;
  });
}
