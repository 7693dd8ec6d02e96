import { recordClick } from "@/lib/clicks/record-click";
import { clientAddress } from "@/lib/http/client-address";
import { pageMethods } from "@/lib/http/html";
import { emptyImage, nothing } from "@/lib/http/pixel";
import { findInvitationAt } from "@/lib/landing/find-at-host";
import { log } from "@/lib/log";

interface Params {
  params: Promise<{ slug: string }>;
}

/** Counts for an open invitation. A click that is lost is no reason to trouble anybody, so this never throws. */
async function count(request: Request, { params }: Params): Promise<void> {
  try {
    const invitation = await findInvitationAt(request.headers, (await params).slug);
    if (invitation?.state !== "open") return;
    await recordClick(invitation, { headers: request.headers, address: clientAddress(request) });
  } catch (error) {
    log().warn({ err: error }, "a click was not counted");
  }
}

/** A browser says where a request comes from and what for; one that does not is believed, being old. */
function says(request: Request, header: string, wanted: string): boolean {
  return (request.headers.get(header) ?? wanted) === wanted;
}

/** The page's script tells that the page was seen. */
export const POST = async (request: Request, context: Params): Promise<Response> => {
  if (says(request, "sec-fetch-site", "same-origin")) await count(request, context);
  return nothing();
};

/** Where no script runs, the page asks for a picture of nothing in its place. */
export const GET = async (request: Request, context: Params): Promise<Response> => {
  const fromPage = says(request, "sec-fetch-site", "same-origin") && says(request, "sec-fetch-dest", "image");
  if (fromPage) await count(request, context);
  return emptyImage();
};

/** Counts nothing. */
export const HEAD = (): Response => nothing();

const { OPTIONS, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS, POST");

export { DELETE, OPTIONS, PATCH, PUT };
