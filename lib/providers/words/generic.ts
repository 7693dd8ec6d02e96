import type { ProviderWords } from "@/lib/providers/provider";

export const genericWords: ProviderWords = {
  label: "Your own server",
  proof:
    "[Standard Webhooks](https://www.standardwebhooks.com): `webhook-id`, `webhook-timestamp`, `webhook-signature`",
  secretLabel: "Signing secret",
  signingSecretLabel: null,
  steps: [
    "Keep the secret on your server, never in the app.",
    "POST an event to the address when a purchase, a refund or a reversed refund is known.",
    "Sign it with any Standard Webhooks library and use the same webhook-id for every try.",
  ],
  userId: "The app_user_id of your event.",
  retries: "Yours to choose: send again with the same webhook-id until the answer is 200.",
  unsure: [],
  needs: [],
  events: [
    { types: ["referral.confirm"], does: "confirms", why: "You say that the person bought" },
    { types: ["referral.reverse"], does: "reverses", why: "You say that the money went back" },
    { types: ["referral.restore"], does: "restores", why: "You say that the refund was taken back" },
    {
      types: ["identity.linked"],
      when: "with `from` and `to`",
      does: "links",
      why: "You say that the two ids are one person's",
    },
  ],
  documentation: "https://www.standardwebhooks.com",
};
