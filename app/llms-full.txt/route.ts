import { llmsFull } from "@/lib/docs/llms";
import { documentResponse } from "@/lib/http/document";

export const GET = (request: Request): Promise<Response> =>
  documentResponse(request, { name: "llms-full", type: "text/plain; charset=utf-8", read: llmsFull });
