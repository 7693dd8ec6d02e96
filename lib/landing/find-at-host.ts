import { appOfHost } from "@/lib/domains/app-of-host";
import { findInvitation, type Invitation } from "./find-invitation";

/**
 * The invitation of a link as this host shows it: an app's own domain has that app's only, the shared host has all,
 * because links that were sent before the domain go on working.
 */
export async function findInvitationAt(headers: Headers, slug: string): Promise<Invitation | undefined> {
  const appId = await appOfHost(headers.get("host"));
  const invitation = await findInvitation(slug);
  return appId === undefined || appId === invitation?.appId ? invitation : undefined;
}
