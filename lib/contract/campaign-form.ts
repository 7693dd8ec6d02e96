import { z } from "zod";
import { campaignInput } from "./campaign";
import { nameField } from "./name";
import { uuidField } from "./uuid";

/** A number as a form sends it; what is no number is refused by the field it goes to. */
const numberText = z
  .string()
  .trim()
  .transform((text) => (text === "" ? Number.NaN : Number(text)));

const text = z.string();

/** A pool that is there, or `new` with the name it gets. */
const poolChoice = text.optional();

const platformForm = z.object({
  on: z.literal("on").optional(),
  threshold: numberText.optional(),
  refereePoolId: poolChoice,
  rewardPoolId: poolChoice,
  newRefereePool: text.optional(),
  newRewardPool: text.optional(),
  instructions: text.optional(),
  rewardCap: numberText.optional(),
});

export type PlatformForm = z.output<typeof platformForm>;

const fields = {
  appId: z.uuid({ error: "appId must be a UUID" }),
  name: text.optional(),
  startsAt: text.optional(),
  endsAt: text.optional(),
  safetyMarginHours: numberText.optional(),
  confirmOn: text.optional(),
  confirmAnyRenewal: z.literal("on").optional(),
  platforms: z.object({ ios: platformForm.optional(), android: platformForm.optional() }).optional(),
};

/** The form of a new campaign; `start` comes with the button that also starts it, `replacing` a campaign to pause then. */
export const newCampaignForm = z.object({
  ...fields,
  type: campaignInput.shape.type,
  start: z.literal("now").optional(),
  replacing: uuidField("replacing").optional(),
});

/** The form of a campaign's rules; `agreed` is how many rewards its sender was shown to become due. */
export const changedCampaignForm = z.object({
  ...fields,
  campaignId: uuidField("campaignId"),
  agreed: z.coerce.number().int().min(0).default(0),
});

export type NewCampaignForm = z.output<typeof newCampaignForm>;
export type ChangedCampaignForm = z.output<typeof changedCampaignForm>;

/** The name of a pool that is made along with a campaign. */
export const newPoolName = nameField("name");

/** The choice of a pool that is made along with the campaign. */
export const NEW_POOL = "new";
