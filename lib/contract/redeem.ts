import { z } from "zod";
import { metacodeField, platformField, uidField, uuidField } from "./fields";

/** Body of `POST /referee-redeem` (4.3); `click_id` is our addition. */
export const redeemRequest = z
  .object({
    referee_uid: uidField("referee_uid"),
    metacode: metacodeField,
    platform: platformField,
    // A click only adds to a statistic, so an invalid value never refuses a code.
    click_id: uuidField("click_id").optional().catch(undefined).meta({
      description:
        "(+) The click that led to the redemption, as the landing page passed it to the app. Any other value (empty, null, of another referrer, used before) is ignored.",
    }),
  })
  .transform((body) => ({
    refereeUid: body.referee_uid,
    metacode: body.metacode,
    platform: body.platform,
    clickId: body.click_id,
  }));

/** Answer of `POST /referee-redeem`. */
export const redeemResponse = z.object({
  code: z.string().meta({ description: "The promo code to redeem in the store." }),
  platform: platformField,
  instructions: z.string().meta({ description: "How to redeem it, for the referee to read." }),
  store_url: z.url().meta({ description: "The store's page where the code is redeemed." }),
  referrer_info: z.object({ message: z.string().meta({ description: "Names the referrer, for display." }) }),
});

export type RedeemInput = z.output<typeof redeemRequest>;
export type RedeemResponse = z.output<typeof redeemResponse>;
