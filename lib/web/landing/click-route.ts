import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { isPerson, recordClick } from "@/lib/program/clicks/record-click";
import { clientAddress } from "@/lib/web/http/client-address";
import { emptyResponse, pageMethods, pixelResponse } from "@/lib/web/http/responses";
import { lookUpInvitation } from "@/lib/web/landing/look-up";

interface ClickParams {
  params: Promise<{ slug: string }>;
}

/** The handlers of `/r/<metacode>/click`: POST for the page's script, GET for the image that stands in for it. */
export function clickRoute() {
  const post = async (request: Request, context: ClickParams): Promise<Response> => {
    if (agrees(request, "sec-fetch-site", "same-origin")) await countClick(request, context);
    return emptyResponse();
  };
  const get = async (request: Request, context: ClickParams): Promise<Response> => {
    const fromPage =
      agrees(request, "sec-fetch-site", "same-origin") && agrees(request, "sec-fetch-dest", "image");
    if (fromPage) await countClick(request, context);
    return pixelResponse();
  };
  const head = (): Response => emptyResponse();
  return { ...pageMethods("GET, HEAD, OPTIONS, POST"), GET: get, HEAD: head, POST: post };
}

/**
 * Counts a person's click on an open invitation. An unknown link counts as a guess, as when its page is opened. Never
 * throws: a lost click must not disturb the visitor.
 */
async function countClick(request: Request, { params }: ClickParams): Promise<void> {
  if (!isPerson(request.headers)) return;
  try {
    const invitation = await lookUpInvitation(request, (await params).slug);
    if (invitation?.state !== "open") return;
    await recordClick(invitation, { headers: request.headers, address: clientAddress(request) });
  } catch (error) {
    // An AppError means that a limit or a full queue refused the click, which is no fault.
    if (!(error instanceof AppError)) log().warn({ err: error }, "a click was not counted");
  }
}

/** Whether a Fetch Metadata header has the expected value, or is missing, as in old browsers. */
function agrees(request: Request, header: string, value: string): boolean {
  return (request.headers.get(header) ?? value) === value;
}
