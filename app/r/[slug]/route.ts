import { policyOf } from "@/components/landing/policy";
import { renderInvitation, renderNotice } from "@/components/landing/render";
import { clickIdOf } from "@/lib/clicks/record-click";
import type { Notice } from "@/lib/contract/landing";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import { clientAddress } from "@/lib/http/client-address";
import { htmlResponse, pageMethods, withoutBody } from "@/lib/http/html";
import { chooseLanguage } from "@/lib/landing/choose-language";
import { findInvitationAt } from "@/lib/landing/find-at-host";
import type { Invitation } from "@/lib/landing/find-invitation";
import { findOwnTexts } from "@/lib/landing/own-texts";
import { pageFor } from "@/lib/landing/page-cache";
import { platformOf } from "@/lib/landing/store-links";
import { landingView, noticeFrame } from "@/lib/landing/view";
import { log } from "@/lib/log";

interface Params {
  params: Promise<{ slug: string }>;
}

/** A pause may end, so its link is fine (200); an ended one will not come back (410). Neither has clicks. */
const STATUS = { open: 200, paused: 200, ended: 410 } as const;

function headersOf(language: LandingLanguage): Record<string, string> {
  return { "Content-Language": language, Vary: "Accept-Language, User-Agent, Accept-Encoding" };
}

async function answer(
  request: Request,
  invitation: Invitation,
  language: LandingLanguage,
): Promise<Response> {
  const { method, headers } = request;
  const person = method === "GET" && invitation.state === "open";
  const clickId = person
    ? await clickIdOf(invitation, { headers, address: clientAddress(request) })
    : undefined;
  const own = invitation.ownTexts ? await findOwnTexts(invitation.appId, language) : {};
  const userAgent = headers.get("user-agent") ?? "";
  const kind = `${language} ${platformOf(userAgent)}`;
  const html = pageFor(invitation, kind, clickId, (id) =>
    renderInvitation(landingView(invitation, { userAgent, language, clickId: id, own })),
  );
  return htmlResponse(STATUS[invitation.state], html, policyOf(invitation.accentColor), headersOf(language));
}

function notice(status: number, which: Notice, language: LandingLanguage, more = {}): Response {
  const html = renderNotice(which, noticeFrame(language));
  return htmlResponse(status, html, policyOf(), { ...headersOf(language), ...more });
}

export const GET = async (request: Request, { params }: Params): Promise<Response> => {
  const { slug } = await params;
  const asked = new URL(request.url).searchParams.get("lang");
  const language = await chooseLanguage(asked, request.headers.get("accept-language"));
  try {
    const invitation = await findInvitationAt(request.headers, slug);
    return invitation ? await answer(request, invitation, language) : notice(404, "unknown", language);
  } catch (error) {
    log().error({ err: error }, "a landing page could not be shown");
    return notice(503, "unavailable", language, { "Retry-After": "5" });
  }
};

export const HEAD = async (request: Request, context: Params): Promise<Response> =>
  withoutBody(await GET(request, context));

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
