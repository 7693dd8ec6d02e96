import { docsSections } from "@/lib/docs/sections";
import { documentResponse } from "@/lib/http/document";

/** What the search in the browser goes through. */
export const GET = (request: Request): Promise<Response> =>
  documentResponse(request, {
    name: "docs-search",
    type: "application/json; charset=utf-8",
    read: async () => JSON.stringify(await docsSections()),
  });
