import pLimit from "p-limit";
import type { Platform } from "@/lib/contract/fields";
import type { InvitationState } from "@/lib/contract/landing";
import { Cache } from "@/lib/platform/cache";
import { sqlFunction } from "@/lib/platform/db/calls";
import { type Db, database } from "@/lib/platform/db/client";
import { fail } from "@/lib/platform/errors";
import { singleton } from "@/lib/platform/singleton";
import { isSandboxMetacode } from "@/lib/program/referrals/sandbox-metacodes";
import { displayName } from "@/lib/program/referrers/display-name";
import { appOfHost } from "@/lib/tenants/domains/hosts";

/** All data of a metacode's landing page. */
export interface LandingInvitation {
  appId: string;
  referrerId: string;
  metacode: string;
  state: InvitationState;
  inviter: string | undefined;
  appName: string;
  /** The app in the stores of the platforms on which the campaign runs. */
  appleAppId: string | undefined;
  androidPackage: string | undefined;
  iconHash: string | undefined;
  /** `#rrggbb`. */
  accentColor: string | undefined;
  /** The app's own host for its links, once it is verified. */
  domain: string | undefined;
  /** Whether the owner replaced a default text. */
  ownTexts: boolean;
  /** The end of the campaign, where one is set. */
  endsAt: Date | undefined;
}

type MaybeInvitation = LandingInvitation | undefined;

interface Row {
  app_id: string;
  referrer_id: string;
  /** The current metacode, even if the link contains an earlier one. */
  metacode: string;
  referrer_status: string;
  campaign_status: string | null;
  name: unknown;
  display_name: unknown;
  app_name: string;
  apple_app_id: string | null;
  android_package: string | null;
  icon_hash: string | null;
  accent_color: string | null;
  domain: string | null;
  own_texts: boolean;
  ends_at: string | null;
  /** Where the campaign runs; null without a campaign. */
  platforms: Platform[] | null;
}

const FIND_INVITATION = sqlFunction("find_invitation", { slug: "text" }).returns<Row | null>();

/** ASCII: the Kelvin sign lower-cases to a `k`. Chat apps add what follows a link: a bracket, an emoji, a word in Korean. */
const SLUG = /^([A-Za-z0-9]{4,32})[\p{P}\p{S}\s]{0,3}(?:(?!\p{Script=Latin}|\p{M})\P{ASCII}.*)?$/u;

/** Milliseconds until a pause shows, and between two queries for a popular link. */
const TTL = 5_000;
const SIZE = 10_000;

/**
 * Concurrent queries of a process, and queries that may wait, so that a flood of links leaves connections and turns of the
 * event loop to the API. 200 wait a tenth of a second; one whose turn comes after two seconds is refused.
 */
const CONCURRENT = 2;
const MAX_WAITING = 200;
const MAX_WAIT_MS = 2_000;

function stateOf({ referrer_status, campaign_status }: Row): InvitationState {
  if (referrer_status === "ended" || campaign_status === "ended") return "ended";
  return referrer_status === "active" && campaign_status === "active" ? "open" : "paused";
}

/** The id of a store on whose platform the campaign runs: friends who install the app from another would get no code. */
function storeIdOf({ platforms }: Row, platform: Platform, id: string | null): string | undefined {
  return id !== null && (platforms?.includes(platform) ?? true) ? id : undefined;
}

async function load(db: Db, metacode: string): Promise<MaybeInvitation> {
  const row = await db.call(FIND_INVITATION, { slug: metacode });
  if (!row) return undefined;
  return {
    appId: row.app_id,
    referrerId: row.referrer_id,
    metacode: row.metacode,
    state: stateOf(row),
    inviter: displayName(row),
    appName: displayName({ name: row.app_name }) ?? "the app",
    appleAppId: storeIdOf(row, "ios", row.apple_app_id),
    androidPackage: storeIdOf(row, "android", row.android_package),
    iconHash: row.icon_hash ?? undefined,
    accentColor: row.accent_color ?? undefined,
    domain: row.domain ?? undefined,
    ownTexts: row.own_texts,
    endsAt: row.ends_at ? new Date(row.ends_at) : undefined,
  };
}

/** Loads within the bounds above. Throws SERVICE_UNAVAILABLE over them. */
async function loadBounded(db: Db, metacode: string): Promise<MaybeInvitation> {
  const limit = singleton("landing.look-ups", () => pLimit(CONCURRENT));
  const latest = performance.now() + MAX_WAIT_MS;
  const refuse = () => fail("SERVICE_UNAVAILABLE", "Too many links are being opened, try again shortly");
  if (limit.pendingCount >= MAX_WAITING) refuse();
  return limit(() => (performance.now() > latest ? refuse() : load(db, metacode)));
}

/** Finds the invitation of a link's last segment, in upper or lower case; undefined for unknown, malformed and test metacodes. */
export async function findInvitation(slug: string, db: Db = database()): Promise<MaybeInvitation> {
  const metacode = SLUG.exec(slug)?.[1]?.toLowerCase();
  if (metacode === undefined || isSandboxMetacode(metacode)) return undefined;
  const cache = singleton("landing.invitations", () => new Cache<MaybeInvitation>(TTL, SIZE));
  return cache.get(metacode, () => loadBounded(db, metacode));
}

/**
 * Finds the invitation of a link on this host. An app's own domain has only that app's invitations; the shared host
 * has all, because links from before the domain was set up keep working.
 */
export async function findInvitationAt(headers: Headers, slug: string): Promise<MaybeInvitation> {
  const appId = await appOfHost(headers.get("host"));
  const invitation = await findInvitation(slug);
  return appId === undefined || appId === invitation?.appId ? invitation : undefined;
}
