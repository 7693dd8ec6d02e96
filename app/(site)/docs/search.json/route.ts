import { docsSections } from "@/lib/web/docs/search";
import { documentRoute } from "@/lib/web/http/document";

/** The sections that the search in the browser indexes. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = documentRoute({
  name: "docs-search",
  type: "application/json; charset=utf-8",
  read: async () => JSON.stringify(await docsSections()),
});
