import { docsSections } from "@/lib/docs/sections";
import { documentResponse } from "@/lib/http/document";
import { pageMethods } from "@/lib/http/html";

/** What the search in the browser goes through. */
export const GET = (request: Request): Promise<Response> =>
  documentResponse(request, {
    name: "docs-search",
    type: "application/json; charset=utf-8",
    read: async () => JSON.stringify(await docsSections()),
  });

export const HEAD = GET;

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
