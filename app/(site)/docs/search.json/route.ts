import { docsSections } from "@/lib/docs/sections";
import { publicText } from "@/lib/http/public-text";

/** What the search in the browser goes through. */
export async function GET(request: Request): Promise<Response> {
  return publicText(request, "application/json", JSON.stringify(await docsSections()));
}
