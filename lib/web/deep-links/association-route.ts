import { Cache } from "@/lib/platform/cache";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";
import { appOfHost } from "@/lib/tenants/domains/hosts";
import { hostJsonResponse, pageMethods, textResponse, withoutBody } from "@/lib/web/http/responses";
import { type AssociationFile, androidAssociation, appleAssociation, linkedApps } from "./associations";

/** Seconds for which clients may cache a file. Together with {@link TTL}, a change shows within a minute. */
const MAX_AGE_SECONDS = 30;
const TTL = 15_000;
const SIZE = 5_000;

interface AssociationFiles {
  apple: AssociationFile;
  android: AssociationFile;
}

async function load(appId: string | undefined): Promise<AssociationFiles> {
  const apps = await linkedApps(appId);
  const files = { apple: appleAssociation(apps), android: androidAssociation(apps) };
  if (files.apple.left + files.android.left > 0) {
    const left = { apple: files.apple.left, android: files.android.left };
    log().warn(
      { left },
      "the association files are full: give the apps that were left out domains of their own",
    );
  }
  return files;
}

/** The file of a host for one kind of phone; an app's own domain lists that app only. */
async function findAssociation(kind: keyof AssociationFiles, host: string | null): Promise<string> {
  const appId = await appOfHost(host);
  const cache = singleton("deep-links.files", () => new Cache<AssociationFiles>(TTL, SIZE));
  return (await cache.get(appId ?? "", () => load(appId)))[kind].text;
}

/**
 * Handlers of a file that phones read: exactly `application/json`, 200, no redirect. Without a database it is 503, so
 * that no phone caches a file without apps.
 */
export function associationRoute(kind: keyof AssociationFiles) {
  const get = async (request: Request): Promise<Response> => {
    try {
      return hostJsonResponse(await findAssociation(kind, request.headers.get("host")), MAX_AGE_SECONDS);
    } catch (error) {
      log().error({ err: error }, "an association file could not be made");
      return textResponse(503, "Try again shortly", { "Retry-After": "5" });
    }
  };
  const head = async (request: Request): Promise<Response> => withoutBody(await get(request));
  return { GET: get, HEAD: head, ...pageMethods("GET, HEAD, OPTIONS") };
}
