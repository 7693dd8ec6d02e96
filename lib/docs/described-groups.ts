import type { DocsLink } from "@/lib/contract/docs";
import { docsLibrary, readDocs } from "./library";

interface DescribedGroup {
  name: string;
  pages: readonly (DocsLink & { description: string })[];
}

/** Every page with the first sentence of it. */
export async function describedGroups(): Promise<DescribedGroup[]> {
  const { groups, pages } = docsLibrary();
  const describe = async (link: DocsLink) => {
    const shelved = pages.find(({ href }) => href === link.href);
    const { description } = shelved ? await readDocs(shelved) : { description: "" };
    return { ...link, description: /^.*?[.?!](?=\s|$)/.exec(description)?.[0] ?? description };
  };
  return Promise.all(
    groups.map(async ({ name, pages: links }) => ({
      name,
      pages: await Promise.all(links.map(describe)),
    })),
  );
}
