import { z } from "zod";
import { listCursor, uuidField } from "./fields";
import { type ReferrerLabel, searchText } from "./referral-list";

export const REFERRER_STATUSES = ["active", "paused", "ended"] as const;

export type ReferrerStatus = (typeof REFERRER_STATUSES)[number];

/** The query of the list of referrers. Unreadable parts are dropped, so that an old link still opens. */
export const referrerQuery = z.object({
  q: searchText,
  status: z.enum(REFERRER_STATUSES).optional().catch(undefined),
  /** An influencer campaign, or `none` for referrers who follow the app's referral campaign. */
  campaign: z.literal("none").or(uuidField("campaign")).optional().catch(undefined),
  /** The order; newest first without it. A search has the order of its matches. */
  sort: z.enum(["confirmed"]).optional().catch(undefined),
  cursor: listCursor,
});

export type ReferrerQuery = z.output<typeof referrerQuery>;

/** A row of the list of referrers; counts are over all campaigns and platforms. */
export interface ReferrerRow extends ReferrerLabel {
  uid: string;
  /** The former metacode by which a search found the referrer. */
  former?: string;
  status: ReferrerStatus;
  /** Null for referrers who follow the app's referral campaign. */
  campaign: string | null;
  confirmed: number;
  earned: number;
  claimed: number;
  /** Earned rewards that a member withdrew. */
  withdrawn: number;
  createdAt: Date;
}

/** An end user, a code, a request or a provider's event found by a search, and the section of the app with its page. */
export interface EndUserMatch {
  kind: "referrer" | "referee" | "code" | "user" | "request" | "event";
  section: "referrers" | "referrals" | "people" | "requests" | "providers";
  /** The id of the page in its section; of a person, the uid. */
  id: string;
  title: string;
  note: string;
}

/** A row of an app found by a search: also a campaign, or a provider, which without an id is not connected yet. */
export interface AppMatch extends Pick<EndUserMatch, "id" | "title" | "note"> {
  kind: EndUserMatch["kind"] | "campaign" | "provider";
  section: EndUserMatch["section"] | "campaigns";
}

/** The page of a match, below that of its app. */
export function matchPath({ section, id }: Pick<AppMatch, "section" | "id">): string {
  if (section === "requests") return `/requests?id=${id}`;
  if (section === "people") return `/people?uid=${encodeURIComponent(id)}`;
  return id === "" ? `/${section}` : `/${section}/${id}`;
}
