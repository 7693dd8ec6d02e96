import type { Diagnosis } from "@/lib/contract/provider";

interface Words {
  name: string;
  /** What to do about it. */
  advice: string;
}

/** Why an event has no referral, as people say it. */
const DIAGNOSIS_WORDS: Record<Diagnosis["why"], Words> = {
  no_id: {
    name: "Names nobody",
    advice: "The provider sent no user id. Tell its SDK who is signed in, or link it by hand.",
  },
  anonymous: {
    name: "Anonymous id",
    advice:
      "The provider knows this person by an id of its own. Give its SDK the id that you send as referee_uid; this one can be linked by hand.",
  },
  never_redeemed: {
    name: "Never redeemed",
    advice:
      "Nobody of this id has redeemed a metacode here. Most are buyers whom nobody invited: dismiss it. If they redeem within an hour of the purchase, it is applied by itself.",
  },
  redeemed_later: {
    name: "Redeemed later",
    advice:
      "The person redeemed more than an hour after this purchase, so it may not be due to the code. If it is, replay it.",
  },
  other_app: {
    name: "Redeemed in another app",
    advice: "The person redeemed there. Look whether the provider posts to the connection of the right app.",
  },
  sandbox: {
    name: "Sandbox event in a live app",
    advice: "A test purchase. Point the provider’s sandbox at a connection of this app’s sandbox.",
  },
  before_purchase: {
    name: "Refund before its purchase",
    advice: "The purchase has not come yet. When it does, this is applied by itself.",
  },
  nothing_to_turn: {
    name: "Changes nothing",
    advice: "The referral is in that state already, or something that happened later decides. Dismiss it.",
  },
};

/** A diagnosis in words. */
export function diagnosisWords({ why, app }: Diagnosis): Words {
  const words = DIAGNOSIS_WORDS[why];
  return app ? { ...words, name: `Redeemed in ${app.name}` } : words;
}
