import type { rewards } from "@/lib/platform/db/schema";
import type { AuditLine } from "./audit";
import type { CodeStatus } from "./batch";
import type { Platform } from "./fields";
import type { UndoneStep } from "./person";
import type { EventDetail, EventVerdict } from "./provider";
import type { ReferralRow, ReferralStatus, ReferrerLabel } from "./referral-list";
import type { ReferrerResponse } from "./referrer";
import type { ReferrerStatus } from "./referrer-list";

/** A code as support sees it, masked except for its end. */
export interface CodeView {
  id: string;
  platform: Platform;
  code: string;
  status: CodeStatus;
  batchId: string;
  /** Its batch is withdrawn, perhaps because the codes fail. */
  quarantined: boolean;
  offer: string | null;
  /** The origin of the batch, such as a file's name. */
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
  /** How the event found the referral, if not by the referral's own uid. */
  matchedBy: EventDetail["matchedBy"];
}

type AuditEntry = AuditLine & { kind: "audit" };

export type ReferralTimelineEntry =
  | { kind: "clicked"; at: Date }
  | { kind: "confirmed"; at: Date; heldUntil: Date | null }
  | { kind: "code_assigned"; at: Date; code: CodeView | null }
  | { kind: "code_replaced"; at: Date; old: CodeView | null; reason: string; by: string | null }
  | { kind: "reversed"; at: Date; byHand: boolean }
  | { kind: "reward"; at: Date; rewardNumber: number; status: RewardView["status"] }
  | EventEntry
  | AuditEntry;

/** One referral with its complete history, oldest first. */
export interface ReferralView {
  id: string;
  status: ReferralStatus;
  refereeUid: string | null;
  platform: Platform | null;
  campaign: { id: string; name: string } | null;
  referrer: ReferrerLabel | null;
  code: CodeView | null;
  /** Confirmed, and counted only from this time on. */
  heldUntil: Date | null;
  /** Support has replaced its code. */
  replaced: boolean;
  /** The same metacode already leads to another campaign, so a retry gets this code only if that one refuses. */
  moved: boolean;
  /** Whether the user may redeem again once this redemption is released, and with this referrer's metacode. */
  again: { when: UndoneStep["mayRedeem"]; by: ReferrerStatus };
  /** A provider reported the refund, so it cannot be undone by hand. */
  reversedByProvider: boolean;
  /** The time of a purchase for which nothing was paid and whose first payment confirms the referral. */
  trialAt: Date | null;
  createdAt: Date;
  timeline: ReferralTimelineEntry[];
}

export interface RewardView {
  id: string;
  /** The metacode of its referrer. */
  metacode: string;
  /** The platform of the friends who earned it. */
  platform: Platform;
  /** The platform of its code: another one where the campaign pays on the referrer's own. */
  paidOn: Platform;
  campaign: string | null;
  rewardNumber: number;
  status: (typeof rewards.$inferSelect)["status"];
  /** The reason why the last claim found no code for it and another would find none now. */
  waitsFor: (typeof rewards.$inferSelect)["waitsFor"];
  code: string | null;
  codeId: string | null;
  /** Why the code may not work in the store. */
  codeTrouble: "expired" | "in quarantine" | null;
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
  /** The referrer's own status; `shown` is the API's, which the campaign may restrict. */
  status: ReferrerStatus;
  shown: ReferrerStatus;
  campaign: { id: string; name: string } | null;
  /** Whether it belongs to an influencer campaign instead of the app's referral campaign. */
  influencer: boolean;
  notes: string | null;
  metadata: Record<string, unknown> | null;
  stats: ReferrerResponse["stats"];
  progress: ReferrerResponse["progress"];
  /** The platforms of the current campaign. */
  inCampaign: Platform[];
  /** The platforms of the current campaign, and those where an earlier one counted referrals. */
  platforms: Platform[];
  createdAt: Date;
}

export type ReferrerTimelineEntry =
  | { kind: "created"; at: Date }
  /** `by`: the member who reversed it. */
  | { kind: "referral"; at: Date; row: ReferralRow; by: string | null }
  | { kind: "earned" | "claimed"; at: Date; reward: RewardView }
  | AuditEntry;
