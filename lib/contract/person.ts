import { z } from "zod";
import type { AuditLine } from "./audit";
import type { Platform } from "./fields";
import type { Diagnosis, EventView } from "./provider";
import type { NearestMetacode, ReferralRow, ReferrerLabel } from "./referral-list";
import type { ReferrerStatus } from "./referrer-list";
import type { RequestLine } from "./request-line";
import type { RewardView } from "./timeline";
import type { DeliveryStatus } from "./webhook-events";

/** The user id of a person's page, from an address bar. */
export const personQuery = z.object({ uid: z.string().min(1).max(510).optional().catch(undefined) });

/** The referrer of a typed metacode; if refused as unknown, that of a similar one, or its own inactive referrer. */
export type MeantMetacode = ReferrerLabel &
  Pick<NearestMetacode, "closed"> & { by: NearestMetacode["by"] | ReferrerStatus | "accepted" };

/** The words before and after the metacode that was meant. */
export const MEANT_LABELS: Record<MeantMetacode["by"], [before: string, after: string]> = {
  edit: ["one character away from", ""],
  look: ["which looks like", ""],
  accepted: ["which is", ""],
  active: ["which is", ". The referrer is active now: the user can enter it while the campaign is active"],
  paused: ["which is", ". The referrer is paused, so it is refused"],
  ended: ["which is", ". The referrer has ended, so it is refused for good"],
};

/** A request that named a person. */
export type PersonRequest = Pick<RequestLine, "id" | "path" | "status" | "errorCode" | "message" | "at"> & {
  uid: string;
  /** As it was typed. */
  metacode: string | null;
  platform: string | null;
  nearest: MeantMetacode | null;
};

/** An undone step of a referral that is gone or waits again. */
export interface UndoneStep {
  id: string;
  step: "code_assigned" | "redeemed";
  platform: Platform;
  at: Date;
  undoneAt: Date;
  /** When the person may redeem again after a released redemption; `no` once they have, and after other steps. */
  mayRedeem: "now" | "started" | "resumed" | "closed" | "had" | "no";
}

/** The end of the sentence about a released redemption. */
export const AGAIN_LABELS: Record<UndoneStep["mayRedeem"], string> = {
  now: ". This user may redeem again.",
  started: ". This user may redeem again once the campaign has started.",
  resumed: ". This user may redeem again once the campaign is resumed.",
  closed: ". This user cannot redeem again: the campaign has ended, or its budget for codes is used up.",
  had: ". This user cannot redeem again: they have a code of the campaign that is active now.",
  no: "",
};

/** The fact about a refused redemption that follows an erased one. */
export const ERASED_REDEMPTION =
  "Made before the data of this user was erased. That campaign accepts no second redemption; another one does.";

/** A code of a person that support replaced. Both codes are masked. */
export interface ReplacedCode {
  id: string;
  old: string;
  new: string;
  reason: string;
  at: Date;
}

export interface PersonDelivery {
  id: string;
  /** Null once the endpoint is deleted. */
  endpointId: string | null;
  eventType: string;
  status: DeliveryStatus;
  at: Date;
}

/** A person as a referrer. */
export interface PersonReferrer extends ReferrerLabel {
  uid: string;
  status: ReferrerStatus;
  notes: string | null;
  /** Confirmed referrals that count, without reversed ones. */
  confirmed: number;
  /** Confirmed referrals on hold, which count towards a reward later. */
  held: number;
}

/** A place in line for the next codes, or a code that was set aside and not fetched. */
export interface PersonPlace {
  uid: string;
  campaignId: string;
  platform: Platform;
  at: Date;
  /** The end of the time for which a code is set aside, or of an approval; otherwise null. */
  reservedUntil: Date | null;
  /** Why a place brings no code now, mostly a refused metacode. `campaign_replaced`: it leads to another campaign. */
  closed:
    | ("campaign_paused" | "campaign_replaced" | "campaign_scheduled" | "platform_left" | "budget_spent")
    | ("same_offer" | "referrer_paused" | "referrer_ended" | null);
  /** `review`, `dismissed`: beyond a limit, no code is set aside. `ended`: one was, from `at` on, and not fetched. */
  state: "waiting" | "approved" | "review" | "dismissed" | "ended";
}

/** Everything that an app knows about an end user, each list newest first. */
export interface PersonView {
  uid: string;
  /** Ids of the same person, as providers or members reported them. */
  aliases: string[];
  /** One for each id that has a metacode; that of `uid` first. */
  referrers: PersonReferrer[];
  /** The team's notes, by the id that has them. */
  notes: { uid: string; notes: string }[];
  places: PersonPlace[];
  rewards: RewardView[];
  referrals: ReferralRow[];
  undone: UndoneStep[];
  /** The fact to show where a refusal follows a redemption that was erased. */
  erased: string | null;
  replaced: ReplacedCode[];
  requests: PersonRequest[];
  /** Each with the address of its details, below that of the app. */
  events: (EventView & { path: string; sandbox: boolean; diagnosis: Diagnosis | null })[];
  deliveries: PersonDelivery[];
  audit: AuditLine[];
  /** The rows shown of each list that may have more, in words that follow "only" or "none". */
  partial: Partial<Record<keyof PersonView, string>>;
}
