import { documentRoute } from "@/lib/web/http/document";
import { viewerScript } from "@/lib/web/openapi/viewer";

/** The viewer of the API reference, served from this host because the page's policy allows no other. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = documentRoute({
  name: "redoc",
  type: "text/javascript; charset=utf-8",
  read: viewerScript,
});
