import * as click from "@/app/r/[slug]/click/route";
import { GET, HEAD } from "@/app/r/[slug]/route";
import { PIXEL_AGENT } from "@/lib/testing/user-agents";

/** Opens a landing page by its handler, as a phone's browser does; `headers` override the phone's. */
export async function openPage(slug: string, headers: Record<string, string> = {}, method = "GET") {
  const request = new Request(`http://localhost:3000/r/${slug}`, {
    method,
    headers: { "user-agent": PIXEL_AGENT, ...headers },
  });
  const handler = method === "HEAD" ? HEAD : GET;
  const response = await handler(request, { params: Promise.resolve({ slug }) });
  const html = await response.text();
  const clickId = /click_id(?:=|%3D)([0-9a-f-]{36})/.exec(html)?.[1];
  return { status: response.status, headers: response.headers, html, clickId };
}

/** Sends the request that counts a click, as the page's script does, or as its pixel does without scripts (GET). */
export async function sendClick(slug: string, headers: Record<string, string> = {}, method = "POST") {
  const request = new Request(`http://localhost:3000/r/${slug}/click`, {
    method,
    headers: { "user-agent": PIXEL_AGENT, ...headers },
  });
  const handler = method === "GET" ? click.GET : click.POST;
  return handler(request, { params: Promise.resolve({ slug }) });
}

/** Opens a page and counts the click, as a browser does. */
export async function seePage(slug: string, headers: Record<string, string> = {}) {
  const page = await openPage(slug, headers);
  await sendClick(slug, headers);
  return page;
}
