import { startScript } from "@/components/reference/start";
import { documentResponse } from "@/lib/http/document";
import { pageMethods } from "@/lib/http/html";

/** Starts the viewer in the page around it. */
export const GET = (request: Request): Promise<Response> =>
  documentResponse(request, {
    name: "reference-start",
    type: "text/javascript; charset=utf-8",
    read: () => startScript,
  });

export const HEAD = GET;

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
