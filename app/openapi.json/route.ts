import { documentResponse, publicDocument } from "@/lib/http/document";
import { pageMethods } from "@/lib/http/html";
import { servedDocument } from "@/lib/openapi/served";

/** The API's description for programs. */
export const GET = (request: Request): Response =>
  documentResponse(request, publicDocument("application/json; charset=utf-8", servedDocument()));

export const HEAD = GET;

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
