/** Maximum unmatched purchases that a referral offers to link and that its diagnosis counts. */
export const MOST_OFFERED = 20;

/** Reasons why a referral is not confirmed yet, in the order in which to fix them. */
export type ReferralFinding =
  | {
      why:
        | "failed"
        | "dismissed"
        | "older_purchase"
        | "sandbox"
        | "renewal"
        | "not_paid"
        | "ignored"
        | "refund";
      /** The event. */
      id: string;
      type: string;
      at: Date;
    }
  | { why: "counted"; referralId: string; type: string; at: Date }
  | { why: "other_app"; app: { id: string; name: string } }
  | { why: "code_expired"; at: Date }
  | { why: "no_connection" }
  | { why: "refused"; connections: { id: string; label: string; deliveries: number; at: Date }[] }
  | { why: "anonymous"; events: number }
  | { why: "recent" }
  | { why: "silent"; last: Date | null }
  | { why: "no_purchase" };
