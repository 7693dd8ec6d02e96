import { CONTENTS, type Described } from "./contents";
import { docsLibrary, readDocs } from "./library";

interface DescribedGroup {
  name: string;
  pages: readonly Described[];
}

const others = CONTENTS.flatMap(({ more = [] }) => more);

async function describe(href: string): Promise<string> {
  const page = docsLibrary().pages.find((one) => one.href === href);
  if (!page) return others.find((one) => one.href === href)?.description ?? "";
  const { description } = await readDocs(page);
  return /^.*?[.?!](?=\s|$)/.exec(description)?.[0] ?? description;
}

/** Every page with the first sentence of it. */
export async function describedGroups(): Promise<DescribedGroup[]> {
  return Promise.all(
    docsLibrary().groups.map(async ({ name, pages }) => ({
      name,
      pages: await Promise.all(
        pages.map(async (page) => ({
          href: page.href,
          name: page.name,
          description: await describe(page.href),
        })),
      ),
    })),
  );
}
