import type { StatusLooks } from "@/components/ui/status-badge";
import type { Diagnosis, EventVerdict } from "@/lib/contract/provider";

/** The outcomes of an event; `why` says what an outcome means and what would change it. */
export const VERDICT_LABELS: StatusLooks<EventVerdict> & Record<EventVerdict, { why: string }> = {
  confirmed: { label: "Confirmed", tone: "good", why: "This event confirmed the referral of this user." },
  reversed: { label: "Reversed", tone: "warn", why: "A refund reversed the confirmation of this referral." },
  restored: {
    label: "Restored",
    tone: "good",
    why: "A withdrawn refund undid the reversal of this referral.",
  },
  already_confirmed: {
    label: "Already confirmed",
    tone: "neutral",
    why: "The referral of this user was confirmed by another event or by hand. A referral that was refunded since stays reversed. If this event was linked by hand and its purchase belongs to another user, unlink it.",
  },
  unmatched: {
    label: "Unmatched",
    tone: "bad",
    why: "None of its user IDs has a referral that it could change. If the user redeemed later or under another ID, replay it or link it by hand.",
  },
  dismissed: {
    label: "Dismissed",
    tone: "neutral",
    why: "A member of your team decided that it concerns no referral. It is no longer applied automatically. If it concerns one after all, replay it.",
  },
  not_paid: {
    label: "Not paid",
    tone: "neutral",
    why: "A free trial or a price of 0, and the campaign confirmed paid purchases only when it came. Its first paid period counts. You can replay it after changing the campaign.",
  },
  renewal: {
    label: "Renewal",
    tone: "neutral",
    why: "A renewal that shows no sign of the code, and the campaign did not count such renewals when it came. You can replay it after changing the campaign.",
  },
  sandbox: {
    label: "Sandbox",
    tone: "neutral",
    why: "Sandbox purchases change nothing in a live app. Send them to the sandbox of this app instead.",
  },
  ignored: {
    label: "Ignored",
    tone: "neutral",
    why: "It is neither a purchase nor a refund, or one that does not count: from a web shop, by a family member, a grant or a partial refund.",
  },
  failed: {
    label: "Failed",
    tone: "bad",
    why: "Something went wrong on our side. The event is stored and retried automatically.",
  },
  unreadable: {
    label: "Unreadable",
    tone: "bad",
    why: "It was authentic, but not an event of this provider. It was refused, and is stored as it arrived.",
  },
  received: { label: "Received", tone: "neutral", why: "It is stored and about to be applied." },
};

/** The name and the next step of each diagnosis. */
const DIAGNOSIS_LABELS: Record<Diagnosis["why"], Record<"name" | "advice", string>> = {
  no_id: {
    name: "No user ID",
    advice:
      "The provider sent no user ID. Identify the signed-in user to its SDK, or link the event by hand.",
  },
  anonymous: {
    name: "Anonymous ID",
    advice:
      "The provider knows this user only by its own ID. Pass its SDK the ID that you send as referee_uid. You can link this event by hand.",
  },
  never_redeemed: {
    name: "Never redeemed",
    advice:
      "No user with this ID has redeemed a metacode here. Most are buyers who were not invited: dismiss it. If they redeem within an hour of the purchase, it is applied automatically.",
  },
  no_code: {
    name: "Has no code",
    advice:
      "The user redeemed a metacode and has no code now: the redemption waits, was dismissed after a review, or was released. If they redeem again within an hour of a purchase, it is applied automatically. After that, replay it. A refund has nothing to reverse here: dismiss it.",
  },
  redeemed_later: {
    name: "Redeemed later",
    advice:
      "The user redeemed after this purchase. Within an hour of it, it is applied in a few minutes; after that it may not be due to the code. If it is, replay it.",
  },
  other_app: {
    name: "Redeemed in another app",
    advice: "The user redeemed there. Check that the provider posts to the connection of the right app.",
  },
  sandbox: {
    name: "Sandbox event in a live app",
    advice: "A test purchase. Point the provider’s sandbox at a connection of this app’s sandbox.",
  },
  before_purchase: {
    name: "Refund before its purchase",
    advice: "The purchase has not arrived yet. When it does, this event is applied automatically.",
  },
  held_back: {
    name: "Purchase not counted",
    advice:
      "The purchase has arrived but has not confirmed the referral, so there is nothing to reverse. If it confirms it later, this event is applied automatically.",
  },
  other_purchase: {
    name: "Another purchase",
    advice:
      "A refund needs the ID of the purchase that confirmed the referral. Dismiss it, or link it if it should count.",
  },
  other_user: { name: "Other user’s purchase", advice: "It confirmed another ID’s referral: link it there." },
  not_applied: {
    name: "Not applied yet",
    advice: "It would change the referral of this user now. Replay it.",
  },
  nothing_to_turn: {
    name: "Changes nothing",
    advice:
      "The referral is already in that state, or a later event or a member decided it. Dismiss it. If it should count, link it, or undo the member’s reversal on the page of the referral.",
  },
};

/** The reason why an event has no referral, with the next step. */
export function diagnosisLabels({ why, app, purchases }: Diagnosis) {
  const labels = DIAGNOSIS_LABELS[why];
  if (purchases) {
    const ids = `This event names ${purchases.event}, but ${purchases.referral} confirmed the referral.`;
    return { ...labels, advice: `${ids} ${labels.advice}` };
  }
  return app ? { ...labels, name: `Redeemed in ${app.name}` } : labels;
}
