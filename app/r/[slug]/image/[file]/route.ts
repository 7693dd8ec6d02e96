import { pageMethods, withoutBody } from "@/lib/http/html";
import { imageResponse } from "@/lib/http/image";
import { textResponse } from "@/lib/http/text";
import { findInvitationAt } from "@/lib/landing/find-at-host";
import { log } from "@/lib/log";
import { findShareImage } from "@/lib/share-image/find";

interface Given {
  params: Promise<{ slug: string; file: string }>;
}

/** An address of before a change shows what is true now, and is soon asked again. */
const FORMER = "public, max-age=300";

export async function GET(request: Request, { params }: Given): Promise<Response> {
  const { slug, file } = await params;
  try {
    const invitation = file.endsWith(".png") ? await findInvitationAt(request.headers, slug) : undefined;
    if (!invitation) return textResponse(404, "There is no such image");
    const { hash, bytes } = await findShareImage(invitation);
    return imageResponse({ type: "image/png", bytes }, file === `${hash}.png` ? undefined : FORMER);
  } catch (error) {
    log().error({ err: error }, "a share image could not be drawn");
    return textResponse(503, "Try again shortly", { "Retry-After": "5" });
  }
}

export const HEAD = async (request: Request, given: Given): Promise<Response> =>
  withoutBody(await GET(request, given));

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
