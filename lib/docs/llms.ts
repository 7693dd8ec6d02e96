import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/env";
import { docsLibrary, readDocs } from "./library";

const HEAD = `# Metacode

> Self-hosted referral promo codes for mobile apps: a user shares a metacode, a friend redeems it for an App Store or
> Google Play promo code, a subscription provider confirms the purchase, and the user claims reward codes.
`;

/** The documentation as a list for language models, after the convention of llmstxt.org. */
export async function llmsIndex(): Promise<string> {
  const { groups } = docsLibrary();
  const parts = await Promise.all(
    groups.map(async ({ name, pages }) => {
      const lines = await Promise.all(pages.map(lineOf));
      return `## ${name}\n\n${lines.join("\n")}`;
    }),
  );
  const all = `## All of it\n\n- [Every page in one file](${env().APP_URL}/llms-full.txt)`;
  return `${[HEAD, ...parts, all].join("\n\n")}\n`;
}

async function lineOf({ href, name }: { href: string; name: string }): Promise<string> {
  const page = docsLibrary().pages.find((one) => one.href === href);
  const description = page ? (await readDocs(page)).description : "";
  return `- [${name}](${env().APP_URL}${href}): ${description}`;
}

/** Every guide as it was written, one after the other; decisions are for who changes the service. */
export async function llmsFull(): Promise<string> {
  const files = docsLibrary().pages.filter(({ file }) => !file.startsWith("decisions/"));
  const texts = await Promise.all(
    files.map(({ file }) => readFile(join(/* turbopackIgnore: true */ process.cwd(), "docs", file), "utf8")),
  );
  return `${HEAD}\n${texts.join("\n---\n\n")}`;
}
