import type { Platform } from "./fields";

/** The facts about an app in its address in a store. */
export interface StoreAddress {
  platform: Platform;
  /** The Apple app ID or the Android package. */
  id: string;
  /** A name to begin with, from the words in the address; undefined if it has none. */
  name: string | undefined;
}

const APPLE_HOSTS = [
  "apps.apple.com",
  "itunes.apple.com",
  "geo.itunes.apple.com",
  "appstoreconnect.apple.com",
];
/** An address among other words, as share buttons write it. The schemes other than HTTP open a store's app. */
const ADDRESS = /\b(?:https?|itms|itms-appss?|market):\/\/[^\s<>"(),;]*[^\s<>"(),;.]/gi;
/** Parts of links and package names that say nothing about the app. */
const COMMON_PARTS = ["android", "app", "apps", "mobile", "client", "main", "prod", "release", "apple-store"];

function nameOf(parts: readonly string[]): string | undefined {
  const named = parts.filter(Boolean).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return named.join(" ").slice(0, 80).trim() || undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function readAppleLink({ pathname }: URL): StoreAddress | undefined {
  const [, slug = "", id] =
    /^(?:\/[a-z-]{2,7})?\/app(?:\/([^/]+))?\/id(\d{6,15})\/?$/i.exec(pathname) ??
    /^\/apps()\/(\d{6,15})\b/.exec(pathname) ??
    [];
  const name = COMMON_PARTS.includes(slug) ? undefined : nameOf(decoded(slug).split("-"));
  return id ? { platform: "ios", id, name } : undefined;
}

function readGoogleLink({ pathname, searchParams }: URL): StoreAddress | undefined {
  const isApp = /\/store\/apps\/details(\/[^/]*)?$/.test(pathname);
  const id = isApp
    ? (searchParams.get("id") ?? "")
    : (/^\/apps\/testing\/([^/]+)\/?$/.exec(pathname)?.[1] ?? "");
  if (!/^[a-zA-Z]\w*(\.[a-zA-Z]\w*)+$/.test(id)) return undefined;
  const part = id.split(".").findLast((candidate) => !COMMON_PARTS.includes(candidate.toLowerCase()));
  return { platform: "android", id, name: nameOf((part ?? "").split("_")) };
}

function readAddress(text: string): StoreAddress | undefined {
  const web = text.replace(/^market:\/\//i, "https://play.google.com/store/apps/");
  const address = web.replace(/^itms[a-z-]*:\/\//i, "https://");
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (APPLE_HOSTS.includes(url.hostname)) return readAppleLink(url);
  return url.hostname === "play.google.com" ? readGoogleLink(url) : undefined;
}

/** The apps whose addresses in the App Store or on Google Play a text contains, each once. Nothing is fetched. */
export function readStoreLinks(text: string): StoreAddress[] {
  const parts = text.match(ADDRESS) ?? [`https://${text.trim()}`];
  const links = parts.flatMap((part) => readAddress(part) ?? []);
  return [...new Map(links.map((link) => [`${link.platform} ${link.id}`, link])).values()];
}
