import { documentResponse } from "@/lib/web/http/document";
import { pageMethods, textResponse } from "@/lib/web/http/responses";
import { docsLibrary } from "./library";
import { pageMarkdown } from "./markdown";

interface RouteContext {
  params: Promise<Record<string, string>>;
}

/** A page of the documentation as Markdown, at its address with `.md`. */
export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const href = `/docs/${(await params).page?.replace(/\.md$/, "")}`;
  const page = docsLibrary().pages.find((candidate) => candidate.href === href);
  if (!page) return textResponse(404, "There is no page at this address. /llms.txt lists all pages.");
  const name = `markdown.${href}`;
  return documentResponse(request, {
    name,
    type: "text/markdown; charset=utf-8",
    read: () => pageMarkdown(page),
  });
}

export const HEAD = GET;

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
