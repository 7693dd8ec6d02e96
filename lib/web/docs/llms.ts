import { env } from "@/lib/platform/env";
import { docsLibrary, listDescribedPages } from "./library";
import { pageMarkdown } from "./markdown";

const HEAD = `# Metacode

> Self-hosted referral promo codes for mobile apps: a user shares a metacode, a friend redeems it for an App Store or
> Google Play promo code, a subscription provider confirms the purchase, and the user claims reward codes.
`;

/** The documentation as a list for language models, after the convention of llmstxt.org. */
export async function llmsIndex(): Promise<string> {
  const parts = (await listDescribedPages()).map(({ name, pages }) => {
    const lines = pages.map((page) => `- [${page.name}](${env().APP_URL}${page.href}): ${page.description}`);
    return `## ${name}\n\n${lines.join("\n")}`;
  });
  const machines = [
    `- [The API as OpenAPI 3.1](${env().APP_URL}/openapi.json)`,
    `- [Every page in one file](${env().APP_URL}/llms-full.txt)`,
  ];
  return `${[HEAD, ...parts, `## For machines\n\n${machines.join("\n")}`].join("\n\n")}\n`;
}

/** The Markdown of every guide and of the reference; decisions are left out, because they are for contributors. */
export async function llmsFull(): Promise<string> {
  const pages = docsLibrary().pages.filter(({ kind }) => kind !== "decision");
  return `${HEAD}\n${(await Promise.all(pages.map(pageMarkdown))).join("\n---\n\n")}`;
}
