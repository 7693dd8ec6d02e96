import { documentResponse } from "@/lib/http/document";
import { pageMethods } from "@/lib/http/html";
import { viewerScript } from "@/lib/openapi/viewer";

/** The viewer of the API reference, from this server and no other. */
export const GET = (request: Request): Promise<Response> =>
  documentResponse(request, { name: "redoc", type: "text/javascript; charset=utf-8", read: viewerScript });

export const HEAD = GET;

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
