import type { ProviderLabels } from "@/lib/program/providers/common/labels";

export const genericLabels: ProviderLabels = {
  label: "Your own server",
  proof:
    "[Standard Webhooks](https://www.standardwebhooks.com): `webhook-id`, `webhook-timestamp`, `webhook-signature`",
  secretLabel: "Signing secret",
  signingSecretLabel: null,
  steps: [
    "Keep the secret on your server, never in the app.",
    "POST an event to the address for every purchase, refund and reversed refund.",
    "Sign it with any Standard Webhooks library and use the same webhook-id for every retry.",
  ],
  userId: "The app_user_id of your event.",
  retries: "Up to you: resend with the same webhook-id until the answer is 200.",
  unsure: [],
  needs: [],
  events: [
    { types: ["referral.confirm"], does: "confirms", why: "You report a purchase" },
    { types: ["referral.reverse"], does: "reverses", why: "You report a refund" },
    { types: ["referral.restore"], does: "restores", why: "You report that a refund was reversed" },
    {
      types: ["identity.linked"],
      when: "with `from` and `to`",
      does: "links",
      why: "You report that the two ids belong to one person",
    },
  ],
  documentation: "https://www.standardwebhooks.com",
};
