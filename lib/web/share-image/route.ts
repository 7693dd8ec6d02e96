import pLimit from "p-limit";
import { Cache } from "@/lib/platform/cache";
import { fail } from "@/lib/platform/errors";
import { singleton } from "@/lib/platform/singleton";
import { findIcon } from "@/lib/tenants/apps/icon";
import { imageResponse, pageMethods, textResponse, withoutBody } from "@/lib/web/http/responses";
import type { LandingInvitation } from "@/lib/web/landing/find-invitation";
import { shareImageHash } from "@/lib/web/landing/links";
import { logFailure, lookUpInvitation, secondsToWait } from "@/lib/web/landing/look-up";
import { drawShareImage } from "./draw";

/** At 40 kB each, 8 MB in a process. A popular link is drawn at most once an hour. */
const TTL = 3_600_000;
const SIZE = 200;

/** Images of a process that are being drawn or wait; more requests get SERVICE_UNAVAILABLE. */
const MAX_QUEUED = 20;

/** An outdated address shows the current image, and is fetched again soon. */
const OUTDATED = "public, max-age=300";

interface ImageParams {
  params: Promise<{ slug: string; file: string }>;
}

/**
 * Draws one image at a time, because passwords and files need the same four threads. Throws SERVICE_UNAVAILABLE when
 * too many wait.
 */
export async function drawQueued<Result>(work: () => Promise<Result>): Promise<Result> {
  const limit = singleton("share-image.limit", () => pLimit(1));
  if (limit.activeCount + limit.pendingCount >= MAX_QUEUED) {
    fail("SERVICE_UNAVAILABLE", undefined, { retryAfter: 5 });
  }
  return limit(work);
}

/** Draws the share image of an invitation. Throws SERVICE_UNAVAILABLE when too many wait. */
export async function drawInvitation(invitation: LandingInvitation): Promise<Buffer> {
  const { appId, appName, accentColor, iconHash, state } = invitation;
  const icon = iconHash ? await findIcon(appId, iconHash) : undefined;
  const open = state === "open" ? invitation : undefined;
  const names = { appName, inviter: open?.inviter, metacode: open?.metacode };
  return drawQueued(() => drawShareImage({ ...names, accent: accentColor, icon: icon?.bytes }));
}

/** The current share image of an invitation, and the hash in its address. Throws SERVICE_UNAVAILABLE. */
async function getShareImage(invitation: LandingInvitation): Promise<{ hash: string; bytes: Buffer }> {
  const hash = shareImageHash(invitation);
  const cache = singleton("share-image.images", () => new Cache<Buffer>(TTL, SIZE));
  return { hash, bytes: await cache.get(hash, () => drawInvitation(invitation)) };
}

/** The handlers of `/r/<metacode>/image/<hash>.png`. */
export function shareImageRoute() {
  const get = async (request: Request, { params }: ImageParams): Promise<Response> => {
    const { slug, file } = await params;
    try {
      const invitation = file.endsWith(".png") ? await lookUpInvitation(request, slug) : undefined;
      if (!invitation) return textResponse(404, "There is no such image");
      const { hash, bytes } = await getShareImage(invitation);
      const current = file === `${hash}.png`;
      return imageResponse({ type: "image/png", bytes }, current ? undefined : OUTDATED);
    } catch (error) {
      const wait = secondsToWait(error);
      if (wait) return textResponse(429, "Try again shortly", { "Retry-After": String(wait) });
      logFailure(error, "a share image could not be drawn");
      return textResponse(503, "Try again shortly", { "Retry-After": "5" });
    }
  };
  const head = async (request: Request, context: ImageParams) => withoutBody(await get(request, context));
  return { GET: get, HEAD: head, ...pageMethods("GET, HEAD, OPTIONS") };
}
