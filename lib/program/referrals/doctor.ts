import type { ReferralFinding } from "@/lib/contract/doctor";
import type { Platform } from "@/lib/contract/fields";
import type { EventVerdict, PurchaseView } from "@/lib/contract/provider";

/** The facts about an unconfirmed referral. */
export interface DoctorFacts {
  now: Date;
  redeemedAt: Date;
  platform: Platform;
  codeExpiresAt: Date | null;
  /** Purchases that name the referee or an id linked to theirs, and ignored events since the redemption, newest first. */
  named: readonly { type: string; verdict: EventVerdict; at: Date }[];
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
  /** Unmatched purchases since the redemption whose buyer the provider does not name. */
  anonymous: readonly { purchase: PurchaseView }[];
}

/** The findings of a purchase that names the referee, by the event's outcome. */
const BY_VERDICT: Partial<Record<EventVerdict, Extract<ReferralFinding, { type: string }>["why"]>> = {
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

/** Everything that may keep a referral from being confirmed, the one to fix first first; never empty. */
export function examineReferral(facts: DoctorFacts): ReferralFinding[] {
  const found = [...namedFindings(facts), ...surroundings(facts)];
  if (found.length > 0) return found;
  if (facts.now.getTime() - facts.redeemedAt.getTime() < GRACE_MS) return [{ why: "recent" }];
  const last = latest(facts.connections.map(({ lastAt }) => lastAt));
  return last && last > facts.redeemedAt ? [{ why: "no_purchase" }] : [{ why: "silent", last }];
}

function namedFindings({ named }: DoctorFacts): ReferralFinding[] {
  return Object.entries(BY_VERDICT).flatMap(([verdict, why]) => {
    const event = named.find((candidate) => candidate.verdict === verdict);
    return event ? [{ why, type: event.type, at: event.at }] : [];
  });
}

function surroundings(facts: DoctorFacts): ReferralFinding[] {
  const { now, redeemedAt, platform, codeExpiresAt, otherApp, connections } = facts;
  const refused = connections.flatMap(({ id, label, refusedAt, refused: deliveries }) =>
    refusedAt && refusedAt > redeemedAt ? [{ id, label, deliveries, at: refusedAt }] : [],
  );
  const stores: unknown[] = [platform, null];
  const events = facts.anonymous.filter(({ purchase }) => stores.includes(purchase.store)).length;
  return [
    ...(otherApp ? [{ why: "other_app" as const, app: otherApp }] : []),
    ...(codeExpiresAt && codeExpiresAt < now ? [{ why: "code_expired" as const, at: codeExpiresAt }] : []),
    ...(connections.some(({ enabled }) => enabled) ? [] : [{ why: "no_connection" as const }]),
    ...(refused.length > 0 ? [{ why: "refused" as const, connections: refused }] : []),
    ...(events > 0 ? [{ why: "anonymous" as const, events }] : []),
  ];
}

function latest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((newest, at) => (at && (!newest || at > newest) ? at : newest), null);
}
