import { imageResponse } from "@/lib/web/http/responses";
import { sampleInvitation } from "@/lib/web/landing/preview";
import { appDownload } from "@/lib/web/session/download";
import { drawInvitation } from "@/lib/web/share-image/route";

/** The share image of a sample invitation, beside the preview of the landing page; `accent` need not be saved yet. */
export const GET = appDownload("viewer", async (ctx, query) => {
  const bytes = await drawInvitation(await sampleInvitation(ctx, query.get("accent")));
  return imageResponse({ type: "image/png", bytes }, "private, no-store");
});
