import { llmsFull } from "@/lib/docs/llms";
import { documentResponse } from "@/lib/http/document";
import { pageMethods } from "@/lib/http/html";

export const GET = (request: Request): Promise<Response> =>
  documentResponse(request, { name: "llms-full", type: "text/plain; charset=utf-8", read: llmsFull });

export const HEAD = GET;

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
