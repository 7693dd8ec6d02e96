import type { NamedFinding, ReferralFinding } from "@/lib/contract/doctor";
import type { EventVerdict } from "@/lib/contract/provider";
import { EVENTS_AGE } from "@/lib/program/retention/sweep-tenant";

/** The facts about an unconfirmed referral. */
export interface DoctorFacts {
  now: Date;
  redeemedAt: Date;
  codeExpiresAt: Date | null;
  /** The time of a stored trial, whose event may be deleted. */
  trialAt: Date | null;
  /**
   * Purchases that name the referee or an id linked to theirs, and refunds without a purchase and ignored events since the
   * redemption, newest first.
   */
  named: readonly {
    id: string;
    type: string;
    verdict: EventVerdict;
    referralId: string | null;
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

/** A purchase may take this long to be reported. */
const GRACE_MS = 3_600_000;

/** A disabled connection without an event for this long before the redemption was replaced. */
const LATELY_MS = 30 * 24 * 3_600_000;

/** Everything that may keep a referral from being confirmed, in the order in which to fix it; never empty. */
export function examineReferral(facts: DoctorFacts): ReferralFinding[] {
  const found = [...namedFindings(facts), ...surroundings(facts)];
  if (found.some(({ why }) => why !== "code_expired")) return found;
  // An expired code does not explain why no purchase came before.
  return [...found, ...missingPurchase(facts)];
}

function missingPurchase(facts: DoctorFacts): ReferralFinding[] {
  const counted = countedFindings(facts);
  if (facts.now.getTime() - facts.redeemedAt.getTime() < GRACE_MS) return [...counted, { why: "recent" }];
  const last = latest(facts.connections.map(({ lastAt }) => lastAt));
  const oldest = facts.now.getTime() - EVENTS_AGE;
  // A linked event is stored for longer than later ones, which may be deleted.
  if (!last || last.getTime() < oldest) return [...counted, { why: "silent", last: null }];
  if (last <= facts.redeemedAt) return [...counted, { why: "silent", last }];
  return counted.length > 0 ? counted : [{ why: "no_purchase", aged: facts.redeemedAt.getTime() < oldest }];
}

/** The newest purchase that counted for another referral of the person: of an earlier campaign, because this one is open. */
function countedFindings({ named }: DoctorFacts): ReferralFinding[] {
  return named
    .flatMap(({ verdict, referralId, type, at }) =>
      referralId && ["confirmed", "already_confirmed"].includes(verdict)
        ? [{ why: "counted" as const, referralId, type, at }]
        : [],
    )
    .slice(0, 1);
}

function namedFindings({ named, redeemedAt, trialAt }: DoctorFacts): ReferralFinding[] {
  const refund = named.find((event) => event.refund);
  const purchases = Object.entries(BY_VERDICT).flatMap(([verdict, why]) => {
    const event = named.find((candidate) => candidate.verdict === verdict && !candidate.refund);
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
  const refused = connections.flatMap(({ id, label, refusedAt, refused: deliveries }) =>
    refusedAt && refusedAt > redeemedAt ? [{ id, label, deliveries, at: refusedAt }] : [],
  );
  const disabled = connections.filter(
    ({ enabled, lastAt }) => !enabled && lastAt && lastAt.getTime() > redeemedAt.getTime() - LATELY_MS,
  );
  return [
    ...(otherApp ? [{ why: "other_app" as const, app: otherApp }] : []),
    ...(codeExpiresAt && codeExpiresAt < now ? [{ why: "code_expired" as const, at: codeExpiresAt }] : []),
    ...(connections.some(({ enabled }) => enabled)
      ? disabled.length > 0
        ? [{ why: "disabled" as const, connections: disabled.map(({ id, label }) => ({ id, label })) }]
        : []
      : [{ why: "no_connection" as const }]),
    ...(refused.length > 0 ? [{ why: "refused" as const, connections: refused }] : []),
    ...(events > 0 ? [{ why: "anonymous" as const, events }] : []),
  ];
}

function latest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((newest, at) => (at && (!newest || at > newest) ? at : newest), null);
}
