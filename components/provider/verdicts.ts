import type { Tone } from "@/components/ui/badge";
import { type EventVerdict, VERDICTS } from "@/lib/contract/provider";

interface Words {
  name: string;
  tone: Tone;
  /** What it means, and what would change it. */
  why: string;
}

/** What became of an event, as people say it. */
export const VERDICT_WORDS: Record<EventVerdict, Words> = {
  confirmed: { name: "Confirmed", tone: "good", why: "The referral of this person counts." },
  reversed: { name: "Reversed", tone: "warn", why: "A refund took the confirmation of this referral back." },
  restored: {
    name: "Restored",
    tone: "good",
    why: "A refund was taken back, and the referral counts again.",
  },
  already_confirmed: {
    name: "Already confirmed",
    tone: "neutral",
    why: "The referral of this person counted before. Nothing was done again.",
  },
  unmatched: {
    name: "Unmatched",
    tone: "bad",
    why: "None of its user ids has a referral that it could change. If the person redeemed later or under another id, replay it or link it by hand.",
  },
  dismissed: {
    name: "Dismissed",
    tone: "neutral",
    why: "Somebody of your team decided that it belongs to nobody.",
  },
  not_paid: {
    name: "Not paid",
    tone: "neutral",
    why: "The campaign confirms paid purchases only, and this is a free trial. After a change of the campaign it can be replayed.",
  },
  renewal: {
    name: "Renewal",
    tone: "neutral",
    why: "A renewal without a trace of the code, which this campaign does not count. After a change of the campaign it can be replayed.",
  },
  sandbox: {
    name: "Sandbox",
    tone: "neutral",
    why: "A sandbox purchase in a live app changes nothing. Send it to the sandbox of this app to try things out.",
  },
  ignored: {
    name: "Ignored",
    tone: "neutral",
    why: "An event of this type tells of no redemption, refund or reversed refund.",
  },
  failed: {
    name: "Failed",
    tone: "bad",
    why: "Something went wrong here while it was judged. It is kept and tried again by itself, later and later.",
  },
  unreadable: {
    name: "Unreadable",
    tone: "bad",
    why: "It came with the right proof but is no event of this provider. It was refused with 400 and is kept as it came.",
  },
  received: { name: "Received", tone: "neutral", why: "It is kept, and about to be judged." },
};

export const VERDICT_CHOICES = VERDICTS.map((value) => ({ value, name: VERDICT_WORDS[value].name }));
