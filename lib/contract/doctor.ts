/** Maximum unmatched purchases that a referral offers to link and that its diagnosis counts. */
export const MOST_OFFERED = 20;

/** Reasons why a referral is not confirmed yet, in the order in which to fix them. */
export type ReferralFinding =
  | {
      why:
        | "failed"
        | "dismissed"
        | "older_purchase"
        | "waiting"
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
  | { why: "trial"; at: Date }
  /** A purchase of another referral of the person; `again`: counted in this campaign; no type: no event is stored. */
  | { why: "counted"; referralId: string; again: boolean; type: string; at: Date }
  | { why: "erased" }
  | { why: "other_app"; app: { id: string; name: string } }
  | { why: "code_expired"; at: Date }
  | { why: "no_connection" }
  | { why: "disabled"; connections: { id: string; label: string }[] }
  | {
      why: "refused";
      connections: { id: string; label: string; deliveries: number; at: Date; accepts: boolean }[];
    }
  | { why: "anonymous"; events: number }
  | { why: "recent" }
  | { why: "silent"; last: Date | null }
  | { why: "no_purchase"; aged: boolean };

/** A finding about an event that names the user. */
export type NamedFinding = Extract<ReferralFinding, { id: string }>;

/** The end of the sentence about such an event. */
export const PURCHASE_SENTENCES: Record<NamedFinding["why"], string> = {
  failed: "could not be applied yet. It is retried automatically.",
  dismissed: "was dismissed. If it is due to the code, open the event and replay it.",
  waiting: "is applied within a few minutes: reload the page. If it stays, open the event and replay it.",
  older_purchase:
    "came more than an hour before the code was assigned, so it may not be due to the code. If it is, open the event and replay it.",
  sandbox:
    "is a test purchase, which does not count in a live app. Testers use the sandbox of this app; a user has to buy in the version from the store.",
  renewal:
    "is a renewal that shows no sign of the code, and the campaign did not count those when it came. If the user subscribed because of the code, confirm by hand. If the campaign counts them now, open the event and replay it.",
  not_paid:
    "is a free trial or has a price of 0, and the campaign required a payment when it came. Its first paid period confirms the referral. If none will follow, or the campaign counts trials now, confirm by hand.",
  refund:
    "is a refund. If its purchase still arrives, this referral is confirmed and reversed at once. Confirm by hand only if the user has bought again since.",
  ignored:
    "was ignored: it is not a purchase, or one that does not count, such as one in a web shop, of a family member or as a gift. The provider knows this user ID, so if the user has bought, confirm by hand.",
};
