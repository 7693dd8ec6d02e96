import { z } from "zod";
import { metacodeField, platformField, uidField } from "./fields";
import { uuidField } from "./uuid";

/** Body of `POST /referee-redeem` (4.3); `click_id` is our addition. */
export const redeemRequest = z
  .object({
    referee_uid: uidField("referee_uid"),
    metacode: metacodeField,
    platform: platformField,
    click_id: uuidField("click_id").optional(),
  })
  .transform((body) => ({
    refereeUid: body.referee_uid,
    metacode: body.metacode,
    platform: body.platform,
    clickId: body.click_id,
  }));

/** Answer of `POST /referee-redeem`. */
export const redeemResponse = z.object({
  code: z.string(),
  platform: platformField,
  instructions: z.string(),
  store_url: z.url(),
  referrer_info: z.object({ message: z.string() }),
});

export type RedeemInput = z.output<typeof redeemRequest>;
export type RedeemResponse = z.output<typeof redeemResponse>;
