import { z } from "zod";
import { platformField, uidField } from "./fields";
import { vanityField } from "./metacode";
import { metadataField } from "./metadata";
import { nameField } from "./name";
import { uuidField } from "./uuid";
import { wholeField } from "./whole";

const MAX_NOTES = 2_000;

/** The owner's own words; line breaks stay. */
const notesField = z
  .string()
  .trim()
  .max(MAX_NOTES, { error: `notes must be at most ${MAX_NOTES.toLocaleString("en")} characters` })
  .refine((text) => !text.includes("\0") && text.isWellFormed(), { error: "notes must be plain text" });

/** Who an influencer is: the name stands on the landing page, the handle and the notes are for the owner. */
const profile = {
  name: nameField("name").nullish(),
  handle: nameField("handle").nullish(),
  notes: notesField.nullish(),
};

/** A referrer of an influencer campaign, made by the owner. */
export const influencerInput = z.object({
  campaignId: uuidField("campaignId"),
  metacode: vanityField,
  uid: uidField("uid").optional(),
  metadata: metadataField.optional(),
  ...profile,
});

export type InfluencerInput = z.input<typeof influencerInput>;

/** The whole of an influencer's profile in place of the present one. */
export const influencerProfile = z.object({ referrerId: uuidField("referrerId"), ...profile });

export type InfluencerProfile = z.input<typeof influencerProfile>;

/** Rewards that the owner gives an influencer. */
export const grantInput = z.object({
  referrerId: uuidField("referrerId"),
  platform: platformField,
  rewards: wholeField("rewards", 1, 100),
  reason: nameField("reason"),
});

export type GrantInput = z.input<typeof grantInput>;
