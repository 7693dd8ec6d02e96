import { startScript } from "@/components/reference/start";
import { documentRoute } from "@/lib/web/http/document";

/** Starts the viewer in the page around it. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = documentRoute({
  name: "reference-start",
  type: "text/javascript; charset=utf-8",
  read: () => startScript,
});
