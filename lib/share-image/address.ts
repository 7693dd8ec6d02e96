import { createHash } from "node:crypto";
import { linkOf } from "@/lib/domains/link";
import type { Invitation } from "@/lib/landing/find-invitation";

/** Goes up with every change of the drawing, so that kept images are fetched anew. */
const DESIGN = 2;

/** Names everything that is drawn: another name, colour or icon is another address. */
export function shareImageHash({
  state,
  appName,
  accentColor,
  iconHash,
  inviter,
  metacode,
}: Invitation): string {
  const drawn = [DESIGN, appName, accentColor, iconHash, ...(state === "open" ? [inviter, metacode] : [])];
  return createHash("sha256").update(JSON.stringify(drawn)).digest("hex").slice(0, 20);
}

/** Absolute, because no chat app completes an address; ends in what it is, because some ask for that. */
export function shareImageUrl(invitation: Invitation): string {
  return `${linkOf(invitation.domain, invitation.metacode)}/image/${shareImageHash(invitation)}.png`;
}
