import type { AuditLine } from "./audit";
import type { Platform } from "./fields";
import type { EventDetail, EventVerdict } from "./provider";
import type { ReferralRow, ReferralStatus, ReferrerLabel } from "./referral-list";
import type { ReferrerResponse } from "./referrer";
import type { ReferrerStatus } from "./referrer-list";

/** A code as support sees it: all but its end is hidden. */
export interface CodeView {
  code: string;
  status: "available" | "assigned" | "confirmed" | "void";
  batchId: string;
  offer: string | null;
  /** Where the batch came from, such as a file's name. */
  origin: string | null;
  expiresAt: Date | null;
}

export interface EventEntry {
  kind: "event";
  at: Date;
  id: string;
  connectionId: string;
  type: string;
  verdict: EventVerdict;
  /** The payload of the provider, as JSON on several lines. */
  payload: string;
  /** How it found the referral, where not by the referral's own id. */
  matchedBy: EventDetail["matchedBy"];
}

type AuditEntry = AuditLine & { kind: "audit" };

export type ReferralTimelineEntry =
  | { kind: "clicked" | "confirmed"; at: Date }
  | { kind: "code_assigned"; at: Date; code: CodeView | null }
  | { kind: "code_replaced"; at: Date; old: CodeView | null; reason: string }
  | { kind: "reversed"; at: Date; byHand: boolean }
  | { kind: "reward"; at: Date; rewardNumber: number; status: "earned" | "claimed" }
  | EventEntry
  | AuditEntry;

/** One referral with everything that happened to it, oldest first. */
export interface ReferralView {
  id: string;
  status: ReferralStatus;
  refereeUid: string | null;
  platform: Platform | null;
  campaign: { id: string; name: string } | null;
  referrer: ReferrerLabel | null;
  code: CodeView | null;
  /** A dead code is replaced once. */
  replaced: boolean;
  /** A provider reported the refund: it is not to be taken back by hand. */
  reversedByProvider: boolean;
  createdAt: Date;
  timeline: ReferralTimelineEntry[];
}

export interface RewardView {
  id: string;
  platform: Platform;
  campaign: string | null;
  rewardNumber: number;
  status: "earned" | "claimed";
  code: string | null;
  replaced: boolean;
  createdAt: Date;
  claimedAt: Date | null;
}

/** One referrer as its page shows it. */
export interface ReferrerView {
  id: string;
  uid: string;
  name: string | null;
  metacode: string;
  link: string;
  /** Its own; `shown` is what the API says, which the campaign may hold back. */
  status: ReferrerStatus;
  shown: ReferrerStatus;
  campaign: { id: string; name: string } | null;
  /** Whether it belongs to an influencer campaign, and none to the app's referral campaign. */
  influencer: boolean;
  notes: string | null;
  metadata: Record<string, unknown> | null;
  stats: ReferrerResponse["stats"];
  progress: ReferrerResponse["progress"];
  createdAt: Date;
}

export type ReferrerTimelineEntry =
  | { kind: "created"; at: Date }
  | { kind: "referral"; at: Date; row: ReferralRow }
  | { kind: "earned" | "claimed"; at: Date; reward: RewardView }
  | AuditEntry;
