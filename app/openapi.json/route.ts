import { documentRoute } from "@/lib/web/http/document";
import { openApiDocument } from "@/lib/web/openapi/document";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = documentRoute({
  name: "openapi",
  type: "application/json; charset=utf-8",
  read: () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
});
