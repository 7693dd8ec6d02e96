import type { Platform } from "./fields";

/** The facts about an app in its address in a store. */
export interface StoreAddress {
  platform: Platform;
  /** The Apple app ID or the Android package. */
  id: string;
  /** A name to begin with, from the words in the address; undefined if it has none. */
  name: string | undefined;
}

const APPLE_HOSTS = ["apps.apple.com", "itunes.apple.com"];
/** Parts of package names that say nothing about the app. */
const COMMON_PARTS = ["android", "app", "apps", "mobile", "client", "main", "prod", "release"];

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function nameOf(parts: readonly string[]): string | undefined {
  const name = parts.filter(Boolean).map(capitalised).join(" ").slice(0, 80).trim();
  return name === "" ? undefined : name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function readAppleLink({ pathname }: URL): StoreAddress | undefined {
  const match = /^(?:\/[a-z]{2}(?:-[a-z]+)?)?\/app(?:\/([^/]+))?\/id(\d{6,15})\/?$/i.exec(pathname);
  const [, slug = "", id] = match ?? [];
  return id ? { platform: "ios", id, name: nameOf(decoded(slug).split("-")) } : undefined;
}

function readGoogleLink({ pathname, searchParams }: URL): StoreAddress | undefined {
  const id = searchParams.get("id");
  if (!pathname.endsWith("/store/apps/details") || !id || !/^[a-zA-Z]\w*(\.[a-zA-Z]\w*)+$/.test(id))
    return undefined;
  const part = id.split(".").findLast((candidate) => !COMMON_PARTS.includes(candidate.toLowerCase()));
  return { platform: "android", id, name: nameOf((part ?? "").split("_")) };
}

/** Reads an app's address in the App Store or on Google Play. Nothing is fetched. Undefined for any other text. */
export function readStoreLink(text: string): StoreAddress | undefined {
  const trimmed = text.trim();
  const address = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (APPLE_HOSTS.includes(url.hostname)) return readAppleLink(url);
  return url.hostname === "play.google.com" ? readGoogleLink(url) : undefined;
}

/** The store id in a text that is the id itself or the app's address in that store. */
export function storeIdIn(platform: Platform, text: string): string {
  const link = readStoreLink(text);
  return link?.platform === platform ? link.id : text.trim();
}
