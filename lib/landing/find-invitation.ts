import { Cache } from "@/lib/cache";
import type { InvitationState } from "@/lib/contract/landing";
import { type Db, database } from "@/lib/db/client";
import { isTestMetacode } from "@/lib/referrals/test-metacodes";
import { displayName } from "@/lib/referrers/display-name";
import { shared } from "@/lib/shared";

/** What is behind a metacode for a person who opens its link. */
export interface Invitation {
  appId: string;
  referrerId: string;
  metacode: string;
  state: InvitationState;
  inviter: string | undefined;
  appName: string;
  appleAppId: string | undefined;
  androidPackage: string | undefined;
  iconHash: string | undefined;
  /** `#rrggbb`. */
  accentColor: string | undefined;
  /** The app's own host for its links, once it is verified. */
  domain: string | undefined;
  /** Whether its owner says something in place of a default text. */
  ownTexts: boolean;
  /** The end of the campaign, where one is set. */
  endsAt: Date | undefined;
}

interface Row {
  app_id: string;
  referrer_id: string;
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
}

/** ASCII only: the Kelvin sign lower-cases to a `k`, and two addresses would be one. */
const SLUG = /^[A-Za-z0-9]{4,32}$/;

/** A pause takes this long to show, and a link that goes round the world costs one query in this time. */
const TTL = 5_000;
const SIZE = 10_000;

function stateOf({ referrer_status, campaign_status }: Row): InvitationState {
  if (referrer_status === "ended" || campaign_status === "ended") return "ended";
  return referrer_status === "active" && campaign_status === "active" ? "open" : "paused";
}

async function load(db: Db, metacode: string): Promise<Invitation | undefined> {
  const row = await db.call<Row | null>("find_invitation", [metacode]);
  if (!row) return undefined;
  return {
    appId: row.app_id,
    referrerId: row.referrer_id,
    metacode,
    state: stateOf(row),
    inviter: displayName(row),
    appName: displayName({ name: row.app_name }) ?? "the app",
    appleAppId: row.apple_app_id ?? undefined,
    androidPackage: row.android_package ?? undefined,
    iconHash: row.icon_hash ?? undefined,
    accentColor: row.accent_color ?? undefined,
    domain: row.domain ?? undefined,
    ownTexts: row.own_texts,
    endsAt: row.ends_at ? new Date(row.ends_at) : undefined,
  };
}

/** Finds the invitation of a link's last part, in any case; nothing for an unknown, reserved or malformed one. */
export async function findInvitation(slug: string, db: Db = database()): Promise<Invitation | undefined> {
  const metacode = slug.toLowerCase();
  // Test metacodes belong to every app, so their page could name none.
  if (!SLUG.test(slug) || isTestMetacode(metacode)) return undefined;
  const cache = shared("landing.invitations", () => new Cache<Invitation | undefined>(TTL, SIZE));
  return cache.get(metacode, () => load(db, metacode));
}
