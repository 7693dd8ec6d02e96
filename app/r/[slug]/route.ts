import { policyOf } from "@/components/landing/policy";
import { renderInvitation, renderNotice } from "@/components/landing/render";
import { clickIdOf } from "@/lib/clicks/record-click";
import type { Notice } from "@/lib/contract/landing";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import { acceptsGzip } from "@/lib/http/accepts-gzip";
import { clientAddress } from "@/lib/http/client-address";
import { htmlResponse, pageMethods, withoutBody } from "@/lib/http/html";
import { chooseLanguage } from "@/lib/landing/choose-language";
import { findInvitationAt } from "@/lib/landing/find-at-host";
import type { Invitation } from "@/lib/landing/find-invitation";
import { findOwnTexts } from "@/lib/landing/own-texts";
import { pageFor } from "@/lib/landing/page-cache";
import { Pieces } from "@/lib/landing/pieces";
import { platformOf } from "@/lib/landing/store-links";
import { landingView, noticeFrame } from "@/lib/landing/view";
import { log } from "@/lib/log";

interface Params {
  params: Promise<{ slug: string }>;
}

/** A pause may end, so its link is fine (200); an ended one will not come back (410). Neither has clicks. */
const STATUS = { open: 200, paused: 200, ended: 410 } as const;

interface Page {
  accent?: string | undefined;
  headers?: Record<string, string>;
}

interface Asked {
  request: Request;
  language: LandingLanguage;
}

/** A page in the visitor's language, in gzip where that is understood; what it depends on is said for those who keep it. */
function page(
  { request, language }: Asked,
  status: number,
  pieces: Pieces,
  clickId = "",
  more: Page = {},
): Response {
  const gzip = acceptsGzip(request);
  return htmlResponse(status, gzip ? pieces.gzip(clickId) : pieces.text(clickId), policyOf(more.accent), {
    "Content-Language": language,
    Vary: "Accept-Language, User-Agent, Accept-Encoding",
    ...(gzip && { "Content-Encoding": "gzip" }),
    ...more.headers,
  });
}

async function invitationPage(asked: Asked, invitation: Invitation): Promise<Response> {
  const { request, language } = asked;
  const { method, headers } = request;
  const opened = method === "GET" && invitation.state === "open";
  const clickId = opened
    ? await clickIdOf(invitation, { headers, address: clientAddress(request) })
    : undefined;
  const own = invitation.ownTexts ? await findOwnTexts(invitation.appId, language) : {};
  const userAgent = headers.get("user-agent") ?? "";
  const pieces = pageFor(invitation, `${language} ${platformOf(userAgent)}`, clickId !== undefined, (mark) =>
    renderInvitation(landingView(invitation, { userAgent, language, clickId: mark, own })),
  );
  return page(asked, STATUS[invitation.state], pieces, clickId, { accent: invitation.accentColor });
}

function noticePage(asked: Asked, status: number, notice: Notice, headers = {}): Response {
  const pieces = new Pieces(renderNotice(notice, noticeFrame(asked.language)), "\0");
  return page(asked, status, pieces, "", { headers });
}

export const GET = async (request: Request, { params }: Params): Promise<Response> => {
  const { slug } = await params;
  const wanted = new URL(request.url).searchParams.get("lang");
  const language = await chooseLanguage(wanted, request.headers.get("accept-language"));
  const asked = { request, language };
  try {
    const invitation = await findInvitationAt(request.headers, slug);
    return invitation ? await invitationPage(asked, invitation) : noticePage(asked, 404, "unknown");
  } catch (error) {
    log().error({ err: error }, "a landing page could not be shown");
    return noticePage(asked, 503, "unavailable", { "Retry-After": "5" });
  }
};

export const HEAD = async (request: Request, context: Params): Promise<Response> =>
  withoutBody(await GET(request, context));

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
