import type { LandingFrame, Notice } from "@/lib/contract/landing";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import { observeRequest } from "@/lib/outward/metrics/requests";
import type { ErrorCode } from "@/lib/platform/errors";
import { singleton } from "@/lib/platform/singleton";
import { clickIdOf } from "@/lib/program/clicks/record-click";
import { cachedOwnTexts } from "@/lib/program/texts/own-texts";
import { chooseLanguage } from "@/lib/web/http/choose-language";
import { clientAddress } from "@/lib/web/http/client-address";
import { acceptsGzip } from "@/lib/web/http/preferences";
import { htmlResponse, pageMethods, withoutBody } from "@/lib/web/http/responses";
import type { LandingInvitation } from "@/lib/web/landing/find-invitation";
import { logFailure, lookUpInvitation, secondsToWait } from "@/lib/web/landing/look-up";
import { cachedPage, type InvitationRenderer } from "@/lib/web/landing/page-cache";
import { PageTemplate } from "@/lib/web/landing/page-template";
import { noticeFrame } from "@/lib/web/landing/view";

/** Renders the pages as HTML; the components are passed in, because nothing in `lib` imports them. */
interface LandingRenderer extends InvitationRenderer {
  renderNotice(notice: Notice, frame: LandingFrame): string;
  /** The Content-Security-Policy for a page in the owner's colour. */
  policy(accent: string | undefined): string;
}

interface LandingRequest {
  request: Request;
  language: LandingLanguage;
}

interface LandingPage extends LandingRequest {
  status: number;
  /** The page as HTML or in gzip. */
  body: (gzip: boolean) => string | Buffer<ArrayBuffer>;
  policy: string;
  headers?: Record<string, string>;
}

interface LandingParams {
  params: Promise<{ slug: string }>;
}

/** A paused page is 200, because the pause may end; an ended one is 410. Neither counts clicks. */
const STATUS = { open: 200, paused: 200, ended: 410 } as const;

/** The refusals and failures of pages in the metrics, by status. */
const ERRORS: Record<number, ErrorCode> = {
  404: "METACODE_NOT_FOUND",
  429: "RATE_LIMITED",
  503: "SERVICE_UNAVAILABLE",
};

/** The handlers of `/r/<metacode>`. Unknown links count as guesses of the visitor's address, which become slow over a limit. */
export function landingRoute(renderer: LandingRenderer) {
  const answer = async (request: Request, slug: string): Promise<Response> => {
    const requested = request.url.includes("?") ? new URL(request.url).searchParams.get("lang") : null;
    const language = chooseLanguage(requested, request.headers.get("accept-language"));
    const visit = { request, language };
    try {
      const invitation = await lookUpInvitation(request, slug);
      if (!invitation) return noticePage(renderer, visit, 404, "unknown");
      return await invitationPage(renderer, visit, invitation);
    } catch (error) {
      const wait = secondsToWait(error);
      if (wait) return noticePage(renderer, visit, 429, "unavailable", { "Retry-After": String(wait) });
      logFailure(error);
      return noticePage(renderer, visit, 503, "unavailable", { "Retry-After": "5" });
    }
  };
  const get = async (request: Request, { params }: LandingParams): Promise<Response> => {
    const started = performance.now();
    const response = await answer(request, (await params).slug);
    const { status } = response;
    const ms = performance.now() - started;
    observeRequest({ route: "/r/[slug]", method: request.method, status, error: ERRORS[status], ms });
    return response;
  };
  const head = async (request: Request, context: LandingParams) => withoutBody(await get(request, context));
  return { GET: get, HEAD: head, ...pageMethods("GET, HEAD, OPTIONS") };
}

async function invitationPage(
  renderer: LandingRenderer,
  { request, language }: LandingRequest,
  invitation: LandingInvitation,
): Promise<Response> {
  const { method, headers } = request;
  const counted = method === "GET" && invitation.state === "open";
  const clickId = counted
    ? await clickIdOf(invitation, { headers, address: clientAddress(request) })
    : undefined;
  const own = invitation.ownTexts ? await cachedOwnTexts(invitation.appId, language) : {};
  const userAgent = headers.get("user-agent") ?? "";
  const { template, values } = cachedPage(renderer, invitation, { userAgent, language, clickId, own });
  const body = (gzip: boolean) => (gzip ? template.gzip(values) : template.plain(values));
  const policy = renderer.policy(invitation.accentColor);
  return respond({ request, language, status: STATUS[invitation.state], body, policy });
}

/** A notice is the same for everyone, so guesses at links cost no rendering. */
function noticeTemplate(renderer: LandingRenderer, notice: Notice, language: LandingLanguage): PageTemplate {
  const templates = singleton("landing.notices", () => new Map<string, PageTemplate>());
  const key = `${notice} ${language}`;
  const template =
    templates.get(key) ?? new PageTemplate(renderer.renderNotice(notice, noticeFrame(language)));
  templates.set(key, template);
  return template;
}

function noticePage(
  renderer: LandingRenderer,
  { request, language }: LandingRequest,
  status: number,
  notice: Notice,
  headers = {},
): Response {
  const template = noticeTemplate(renderer, notice, language);
  const body = (gzip: boolean) => (gzip ? template.gzip({}) : template.plain({}));
  return respond({ request, language, status, body, policy: renderer.policy(undefined), headers });
}

/** The page in gzip where the client accepts it; `Vary` names everything that the page depends on. */
function respond({ request, language, status, body, policy, headers }: LandingPage): Response {
  const gzip = acceptsGzip(request);
  return htmlResponse(status, body(gzip), policy, {
    "Content-Language": language,
    Vary: "Accept-Language, User-Agent, Accept-Encoding",
    ...(gzip && { "Content-Encoding": "gzip" }),
    ...headers,
  });
}
