import { llmsIndex } from "@/lib/web/docs/llms";
import { documentRoute } from "@/lib/web/http/document";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = documentRoute({
  name: "llms",
  type: "text/plain; charset=utf-8",
  read: llmsIndex,
});
