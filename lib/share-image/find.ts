import { findIcon } from "@/lib/apps/find-icon";
import { Cache } from "@/lib/cache";
import type { Invitation } from "@/lib/landing/find-invitation";
import { shared } from "@/lib/shared";
import { shareImageHash } from "./address";
import { drawShareImage } from "./draw";
import { inTurn } from "./turns";

/** At 40 kB each, 8 MB in a process. A link that goes round is drawn once an hour at most. */
const TTL = 3_600_000;
const SIZE = 200;

async function draw(invitation: Invitation): Promise<Buffer> {
  const { appId, appName, accentColor, iconHash, state } = invitation;
  const icon = iconHash ? await findIcon(appId, iconHash) : undefined;
  const open = state === "open" ? invitation : undefined;
  const shown = { inviter: open?.inviter, metacode: open?.metacode };
  return inTurn(() => drawShareImage({ appName, accent: accentColor, icon: icon?.bytes, ...shown }));
}

/** An invitation's share image as it is now, and the hash that names it. Throws SERVICE_UNAVAILABLE. */
export async function findShareImage(invitation: Invitation): Promise<{ hash: string; bytes: Buffer }> {
  const hash = shareImageHash(invitation);
  const cache = shared("share-image.images", () => new Cache<Buffer>(TTL, SIZE));
  return { hash, bytes: await cache.get(hash, () => draw(invitation)) };
}
