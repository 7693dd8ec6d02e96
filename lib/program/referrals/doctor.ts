import type { NamedFinding, ReferralFinding } from "@/lib/contract/doctor";
import type { EventVerdict } from "@/lib/contract/provider";
import { EVENTS_AGE } from "@/lib/program/retention/sweep-tenant";

/** The facts about an unconfirmed referral. */
export interface DoctorFacts {
  referral: { id: string; campaignId: string | null };
  now: Date;
  redeemedAt: Date;
  codeExpiresAt: Date | null;
  /** The time of a stored trial, whose event may be deleted. */
  trialAt: Date | null;
  /** Purchases of the referee or a linked id; unmatched refunds and ignored events since the redemption. Newest first. */
  named: readonly {
    id: string;
    type: string;
    verdict: EventVerdict;
    referralId: string | null;
    campaignId: string | null;
    refund?: boolean;
    at: Date;
  }[];
  /** Another app of the workspace that received a purchase of the referee. */
  otherApp: { id: string; name: string } | null;
  connections: readonly {
    id: string;
    label: string;
    enabled: boolean;
    refusedAt: Date | null;
    refused: number;
    lastAt: Date | null;
  }[];
  /** Unmatched purchases that may be linked and whose buyer the provider does not name. */
  anonymous: number;
}

/** The findings of a purchase that names the referee, by the event's outcome. */
const BY_VERDICT: Partial<Record<EventVerdict, NamedFinding["why"]>> = {
  failed: "failed",
  received: "failed",
  dismissed: "dismissed",
  unmatched: "older_purchase",
  sandbox: "sandbox",
  renewal: "renewal",
  not_paid: "not_paid",
  ignored: "ignored",
};

/** The time in which providers report a purchase. */
const GRACE_MS = 3_600_000;

/** A disabled connection that had no event for this long before the redemption counts as replaced. */
const LATELY_MS = 30 * 24 * 3_600_000;

/** Everything that may prevent a referral's confirmation, in the order in which to fix it; never empty. */
export function examineReferral(facts: DoctorFacts): ReferralFinding[] {
  const counted = countedFindings(facts);
  if (counted.some(({ again }) => again)) return counted;
  const found = [...namedFindings(facts), ...surroundings(facts)];
  if (!found.every(explainsLittle)) return found;
  const isTried = found.some(({ why }) => why === "not_paid" || why === "trial");
  return [...found, ...counted, ...(isTried ? [] : missingPurchase(facts, counted.length > 0))];
}

/** Whether a finding does not explain a missing purchase: an expired code, a secret corrected since, an unpaid trial. */
const explainsLittle = (finding: ReferralFinding): boolean =>
  ["code_expired", "not_paid", "trial"].includes(finding.why) ||
  (finding.why === "refused" && finding.connections.every(({ accepts }) => accepts));

function missingPurchase(facts: DoctorFacts, hasCounted: boolean): ReferralFinding[] {
  const { now, redeemedAt, connections } = facts;
  if (now.getTime() - redeemedAt.getTime() < GRACE_MS) return [{ why: "recent" }];
  const last = Math.max(0, ...connections.map(({ lastAt }) => lastAt?.getTime() ?? 0));
  const oldest = now.getTime() - EVENTS_AGE;
  // A linked event is stored for longer than later ones, which may be deleted.
  if (last < oldest) return [{ why: "silent", last: null }];
  if (last <= redeemedAt.getTime()) return [{ why: "silent", last: new Date(last) }];
  return hasCounted ? [] : [{ why: "no_purchase", aged: redeemedAt.getTime() < oldest }];
}

/** The verdicts of a referral's own campaign, which say nothing about another referral. */
const HELD = /^(renewal|not_paid)$/;

/** The newest purchase of another referral of the person: `again` if it counted in this campaign, where a person counts once. */
function countedFindings({ named, referral, redeemedAt }: DoctorFacts) {
  const counted = named.flatMap(({ verdict, referralId, campaignId, type, at }) => {
    const counts = verdict === "confirmed" || verdict === "already_confirmed";
    const belongs = counts || (HELD.test(verdict) && at > redeemedAt);
    if (!belongs || !referralId || referralId === referral.id) return [];
    const again = counts && campaignId === referral.campaignId;
    return [{ why: "counted" as const, referralId, again, type, at }];
  });
  return [...counted.filter(({ again }) => again), ...counted].slice(0, 1);
}

function namedFindings({ named, referral, redeemedAt, trialAt }: DoctorFacts): ReferralFinding[] {
  const own = named.filter((it) => it.referralId === referral.id || !HELD.test(it.verdict));
  const refund = named.find((event) => event.refund);
  const purchases = Object.entries(BY_VERDICT).flatMap(([verdict, why]) => {
    const event = own.find((candidate) => candidate.verdict === verdict && !candidate.refund);
    if (!event) return [];
    // A round applies a purchase that came in the hour before the code.
    const waits = why === "older_purchase" && event.at.getTime() >= redeemedAt.getTime() - GRACE_MS;
    return [{ why: waits ? ("waiting" as const) : why, ...shownOf(event) }];
  });
  const isStored = purchases.some(({ why }) => why === "not_paid");
  return [
    ...purchases,
    ...(trialAt && !isStored ? [{ why: "trial" as const, at: trialAt }] : []),
    ...(refund ? [{ why: "refund" as const, ...shownOf(refund) }] : []),
  ];
}

const shownOf = ({ id, type, at }: DoctorFacts["named"][number]) => ({ id, type, at });

function surroundings(facts: DoctorFacts): ReferralFinding[] {
  const { now, redeemedAt, codeExpiresAt, otherApp, connections, anonymous: events } = facts;
  const refused = connections.flatMap(({ id, label, refusedAt: at, refused: deliveries, lastAt }) =>
    at && at > redeemedAt ? [{ id, label, deliveries, at, accepts: lastAt !== null && lastAt > at }] : [],
  );
  const off = connections.filter(({ enabled }) => !enabled);
  const lately = off.filter(({ lastAt }) => lastAt && lastAt.getTime() > redeemedAt.getTime() - LATELY_MS);
  const shown = lately.length === 0 && off.length === connections.length ? off : lately;
  const disabled = shown.map(({ id, label }) => ({ id, label }));
  return [
    ...(otherApp ? [{ why: "other_app" as const, app: otherApp }] : []),
    ...(codeExpiresAt && codeExpiresAt < now ? [{ why: "code_expired" as const, at: codeExpiresAt }] : []),
    ...(connections.length === 0 ? [{ why: "no_connection" as const }] : []),
    ...(disabled.length > 0 ? [{ why: "disabled" as const, connections: disabled }] : []),
    ...(refused.length > 0 ? [{ why: "refused" as const, connections: refused }] : []),
    ...(events > 0 ? [{ why: "anonymous" as const, events }] : []),
  ];
}
