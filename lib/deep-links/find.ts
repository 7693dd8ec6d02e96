import { Cache } from "@/lib/cache";
import { appOfHost } from "@/lib/domains/app-of-host";
import { log } from "@/lib/log";
import { shared } from "@/lib/shared";
import { linkedApps } from "./apps";
import { type Association, androidAssociation, appleAssociation } from "./associations";

/** With the 30 s that others may keep the answer, a change is seen within a minute. */
const TTL = 15_000;
const SIZE = 5_000;

interface Files {
  apple: Association;
  android: Association;
}

async function load(appId: string | undefined): Promise<Files> {
  const apps = await linkedApps(appId);
  const files = { apple: appleAssociation(apps), android: androidAssociation(apps) };
  if (files.apple.left + files.android.left > 0) {
    const left = { apple: files.apple.left, android: files.android.left };
    log().warn({ left }, "apps found no room in the files for phones: give them domains of their own");
  }
  return files;
}

/** The file that a host shows to phones of one kind; that of an app's own domain names this app alone. */
export async function findAssociation(kind: keyof Files, host: string | null): Promise<string> {
  const appId = await appOfHost(host);
  const cache = shared("deep-links.files", () => new Cache<Files>(TTL, SIZE));
  return (await cache.get(appId ?? "", () => load(appId)))[kind].text;
}
