import * as click from "@/app/r/[slug]/click/route";
import { GET, HEAD } from "@/app/r/[slug]/route";

export const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";
export const PIXEL =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36";
export const DESKTOP =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

/** Opens a landing page by its handler, as a browser would; `headers` overrides the phone's. */
export async function openPage(slug: string, headers: Record<string, string> = {}, method = "GET") {
  const request = new Request(`http://localhost:3000/r/${slug}`, {
    method,
    headers: { "user-agent": PIXEL, ...headers },
  });
  const handler = method === "HEAD" ? HEAD : GET;
  const response = await handler(request, { params: Promise.resolve({ slug }) });
  const html = await response.text();
  const clickId = /click_id(?:=|%3D)([0-9a-f-]{36})/.exec(html)?.[1];
  return { status: response.status, headers: response.headers, html, clickId };
}

/** What the page sends once it is seen: by its script, or as a picture where no script runs (GET). */
export async function tellClick(slug: string, headers: Record<string, string> = {}, method = "POST") {
  const request = new Request(`http://localhost:3000/r/${slug}/click`, {
    method,
    headers: { "user-agent": PIXEL, ...headers },
  });
  const handler = method === "GET" ? click.GET : click.POST;
  return handler(request, { params: Promise.resolve({ slug }) });
}

/** Opens a page and sees it, as a person does. */
export async function seePage(slug: string, headers: Record<string, string> = {}) {
  const page = await openPage(slug, headers);
  await tellClick(slug, headers);
  return page;
}
