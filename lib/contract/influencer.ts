import { z } from "zod";
import { uidField } from "./fields";
import { vanityField } from "./metacode";
import { metadataField } from "./metadata";
import { uuidField } from "./uuid";

/** A referrer of an influencer campaign, made by the owner. */
export const influencerInput = z.object({
  campaignId: uuidField("campaignId"),
  metacode: vanityField,
  uid: uidField("uid").optional(),
  metadata: metadataField.optional(),
});

export type InfluencerInput = z.input<typeof influencerInput>;
