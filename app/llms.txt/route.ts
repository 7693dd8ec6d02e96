import { llmsIndex } from "@/lib/docs/llms";
import { publicText } from "@/lib/http/public-text";

export const GET = async (request: Request): Promise<Response> =>
  publicText(request, "text/plain", await llmsIndex());
