import pLimit from "p-limit";
import { findWeeklyEmail, unsubscribe } from "@/lib/outward/weekly/weekly-email";
import { database } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { createNonce, htmlResponse, pageMethods, withoutBody } from "@/lib/web/http/responses";

type Link = Record<"appId" | "token", string>;

/** Maximum look-ups of links at once and waiting, so that a flood of invented links leaves the connection pool to the API. */
const CONCURRENT = 2;
const MAX_WAITING = 200;

/**
 * The handlers of the link in a weekly email. GET changes nothing, because mail scanners open every link, and shows a
 * button; POST is that button, and the one that mail programs show (RFC 8058), which needs no session.
 */
export function unsubscribeRoute() {
  const limit = pLimit(CONCURRENT);
  const answering =
    (answer: (link: Link) => Promise<Response>) => (_: Request, route: { params: Promise<Link> }) =>
      route.params
        .then((link) => (limit.pendingCount < MAX_WAITING ? limit(() => answer(link)) : busy()))
        .catch(unavailable);
  const get = answering(async (link) => {
    const app = await findWeeklyEmail(database(), link);
    if (!app) return page("You are unsubscribed", "This weekly email is turned off.");
    return page(`Unsubscribe from the weekly email of ${app}?`, undefined);
  });
  const head: typeof get = async (request, route) => withoutBody(await get(request, route));
  const post = answering(async (link) => {
    await unsubscribe(database(), link);
    const more = "You can switch the weekly email on again in the dashboard, under Alerts.";
    return page("You are unsubscribed", more);
  });
  return { ...pageMethods("GET, HEAD, OPTIONS, POST"), GET: get, HEAD: head, POST: post };
}

function unavailable(error: unknown): Response {
  log().error({ err: error }, "an unsubscribe link could not be answered");
  return busy();
}

const busy = () => page("Back in a moment", "Please try again shortly.", 503, { "Retry-After": "5" });

const inHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
main{max-width:22rem;margin:20vh auto 0;padding:0 1.25rem;text-align:center}h1{font-size:1.25rem;overflow-wrap:anywhere}
button{font:inherit;font-weight:600;width:100%;padding:.7rem;border:0;border-radius:.5rem;background:CanvasText;color:Canvas}`;

/** A page of one sentence, or with the button. */
function page(title: string, text: string | undefined, status = 200, headers = {}): Response {
  const nonce = createNonce();
  const body = text ? `<p>${text}</p>` : `<form method="post"><button>Unsubscribe</button></form>`;
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${inHtml(title)}</title><style nonce="${nonce}">${STYLE}</style><main><h1>${inHtml(title)}</h1>${body}</main></html>
`;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'`;
  return htmlResponse(status, html, policy, headers);
}
