import { forgetApp } from "@/lib/apps/forget";
import { broadcast, onBroadcast } from "@/lib/server/broadcast";
import { forget } from "@/lib/shared";
import { hostCache } from "./app-of-host";

const KIND = "domain";

/** Makes every process of this service look hosts up anew, and the app; other machines do within 5 seconds. */
export async function forgetDomain(appId: string): Promise<void> {
  forgetHere();
  await broadcast({ kind: KIND });
  await forgetApp(appId);
}

/** Called once by every process that serves requests. */
export function listenForChangedDomains(): void {
  onBroadcast(KIND, forgetHere);
}

/** All of them: a domain's invitations and files for phones are kept under other names. */
function forgetHere(): void {
  hostCache().forgetWhere(() => true);
  forget("landing.invitations");
  forget("deep-links.files");
}
