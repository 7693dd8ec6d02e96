import { documentResponse } from "@/lib/http/document";
import { pageMethods } from "@/lib/http/html";
import { openApiDocument } from "@/lib/openapi/document";

/** The API's description for programs. */
export const GET = (request: Request): Promise<Response> =>
  documentResponse(request, {
    name: "openapi",
    type: "application/json; charset=utf-8",
    read: () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  });

export const HEAD = GET;

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
