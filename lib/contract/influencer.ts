import { z } from "zod";
import { nameField, platformField, uidField, uuidField, vanityField, wholeField } from "./fields";
import { formatNumber } from "./format";
import { metadataField } from "./metadata";

const MAX_NOTES = 2_000;

/** Free text of the team; line breaks stay. */
const notesField = z
  .string()
  .trim()
  .max(MAX_NOTES, { error: `notes must be at most ${formatNumber(MAX_NOTES)} characters` })
  .refine((text) => !text.includes("\0") && text.isWellFormed(), { error: "notes must be plain text" });

/** The user id as a screen shows it: none where it was generated, for an influencer without one or an erased user. */
export const shownUid = (uid: string): string | undefined =>
  /^(influencer:[0-9a-f-]{36}|erased:[\w-]{43}(:[0-9a-f-]{36})?)$/.test(uid) ? undefined : uid;

/** Whether an id stands for an erased user. */
export const isErased = (uid: string): boolean => uid.startsWith("erased:") && !shownUid(uid);

/** The name of a referee whose id is not shown. */
export const ERASED_UID = "Erased user";

/** The user id as a screen shows it, or what stands for it: an influencer without one is not erased. */
export const userLabel = (uid: string, none = "Influencer"): string =>
  shownUid(uid) ?? (isErased(uid) ? ERASED_UID : none);

/** The profile of an influencer: the landing page shows the name; handle and notes are for the team. */
const profile = {
  name: nameField("name").nullish(),
  handle: nameField("handle").nullish(),
  notes: notesField.nullish(),
};

/** A referrer of an influencer campaign, created by the team. */
export const influencerInput = z.object({
  campaignId: uuidField("campaignId"),
  metacode: vanityField,
  uid: uidField("uid").optional(),
  metadata: metadataField.optional(),
  ...profile,
});

export type InfluencerInput = z.input<typeof influencerInput>;

/** The profile that replaces an influencer's current one. */
export const influencerProfile = z.object({ referrerId: uuidField("referrerId"), ...profile });

export type InfluencerProfile = z.input<typeof influencerProfile>;

/** Rewards that the owner grants an influencer by hand. */
export const grantInput = z.object({
  referrerId: uuidField("referrerId"),
  platform: platformField,
  rewards: wholeField("rewards", 1, 100),
  reason: nameField("reason"),
});

export type GrantInput = z.input<typeof grantInput>;
