import { policy } from "@/components/landing/policy";
import { renderInvitation, renderNotice } from "@/components/landing/render";
import { recordClick } from "@/lib/clicks/record-click";
import { clientAddress } from "@/lib/http/client-address";
import { htmlResponse, pageMethods, withoutBody } from "@/lib/http/html";
import { findInvitationAt } from "@/lib/landing/find-at-host";
import type { Invitation } from "@/lib/landing/find-invitation";
import { landingView } from "@/lib/landing/view";
import { log } from "@/lib/log";

interface Params {
  params: Promise<{ slug: string }>;
}

/** A pause may end, so its link is fine (200); an ended one will not come back (410). Neither counts a click. */
const STATUS = { open: 200, paused: 200, ended: 410 } as const;

async function answer(request: Request, invitation: Invitation): Promise<Response> {
  const { method, headers } = request;
  const clickId =
    invitation.state === "open"
      ? await recordClick(invitation, { method, headers, address: clientAddress(request) })
      : undefined;
  const view = landingView(invitation, headers.get("user-agent") ?? "", clickId);
  return htmlResponse(STATUS[invitation.state], renderInvitation(view), policy);
}

export const GET = async (request: Request, { params }: Params): Promise<Response> => {
  const { slug } = await params;
  try {
    const invitation = await findInvitationAt(request.headers, slug);
    return invitation
      ? await answer(request, invitation)
      : htmlResponse(404, renderNotice("unknown"), policy);
  } catch (error) {
    log().error({ err: error }, "a landing page could not be shown");
    return htmlResponse(503, renderNotice("unavailable"), policy, { "Retry-After": "5" });
  }
};

export const HEAD = async (request: Request, context: Params): Promise<Response> =>
  withoutBody(await GET(request, context));

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
