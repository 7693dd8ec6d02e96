import { llmsIndex } from "@/lib/docs/llms";
import { documentResponse } from "@/lib/http/document";

export const GET = (request: Request): Promise<Response> =>
  documentResponse(request, { name: "llms", type: "text/plain; charset=utf-8", read: llmsIndex });
