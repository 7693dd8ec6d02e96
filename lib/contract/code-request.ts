import { z } from "zod";
import type { appStoreKeys, codeRequests, refillRules, storeOffers } from "@/lib/platform/db/schema";
import { uuidField, wholeField } from "./fields";

const OFFER_TYPES = ["subscription", "in_app_purchase"] as const;
export type OfferType = (typeof OFFER_TYPES)[number];

/** States of a request whose codes are still awaited. */
export const AWAITED_STATES = ["asked", "made"] as const;

/** States of a request that has not ended: an unclear one waits for a member. */
export const OPEN_STATES = [...AWAITED_STATES, "unclear"] as const;

/** Apple's limits for one request. */
export const MIN_CODES = 10;
export const MAX_CODES = 10_000;

/** Apple's limit for one app and calendar quarter. */
export const STORE_LIMIT = 1_000_000;

/** Longest validity of a refill's codes in days: Apple's six months are at least 181. */
export const MAX_DAYS = 180;

/** Apple's limit of active offers of a subscription, less the first one of a refill. */
export const MAX_LATER_OFFERS = 9;

/** An offer as the store lists it. */
export type StoreOffer = Omit<typeof storeOffers.$inferSelect, "appId">;

/** The form value of an offer: its type and the store's id. */
const offerField = z
  .string({ error: "offer is required" })
  .regex(/^(subscription|in_app_purchase):[\w-]{1,100}$/, { error: "offer must be in the list" })
  .transform((text) => {
    const [type, id = ""] = text.split(":");
    return { type: type as OfferType, id };
  });

/** The value of an offer in a form. */
export const offerValue = ({ type, id }: Pick<StoreOffer, "type" | "id">): string => `${type}:${id}`;

const KEY_TEXT = { error: "privateKey must be the whole content of the .p8 file" };

/** A key for App Store Connect, as pasted. */
export const storeKeyInput = z.object({
  issuerId: z
    .string({ error: "issuerId is required" })
    .trim()
    .pipe(z.guid({ error: "issuerId must be the issuer ID, such as 57246542-96fe-1a63-e053-0824d011072a" })),
  keyId: z
    .string({ error: "keyId is required" })
    .trim()
    .regex(/^[A-Z0-9]{4,20}$/, { error: "keyId must be the key ID, such as 2X9R4HXF34" }),
  privateKey: z
    .string(KEY_TEXT)
    .trim()
    .max(2_000, KEY_TEXT)
    .regex(/^-----BEGIN PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----$/, KEY_TEXT),
});

/** A request for codes. Sent twice with the same `requestId`, it is created once. */
export const codeRequestInput = z.object({
  requestId: uuidField("requestId").optional(),
  poolId: uuidField("poolId"),
  offer: offerField,
  amount: wholeField("amount", MIN_CODES, MAX_CODES),
  expiresOn: z
    .string({ error: "expiresOn is required" })
    .pipe(z.iso.date({ error: "expiresOn must be a day such as 2027-03-31" })),
});

/** The refill rule of a pool. */
export const refillInput = z.object({
  poolId: uuidField("poolId"),
  offer: offerField,
  laterOffers: z.array(offerField).max(MAX_LATER_OFFERS).default([]),
  threshold: wholeField("threshold", 0, 1_000_000),
  amount: wholeField("amount", MIN_CODES, MAX_CODES),
  quarterCap: wholeField("quarterCap", MIN_CODES, STORE_LIMIT),
  validDays: wholeField("validDays", 7, MAX_DAYS),
});

type CodeRequestRow = typeof codeRequests.$inferSelect;
type RefillRow = typeof refillRules.$inferSelect;

export type CodeRequestState = CodeRequestRow["state"];
export type RefillStop = NonNullable<RefillRow["stopped"]>;

/** A key in the dashboard, never its text. `trouble`: the server cannot read it (`unreadable`), or Apple refused it. */
export type StoreKeyView = Pick<
  typeof appStoreKeys.$inferSelect,
  "issuerId" | "keyId" | "trouble" | "listedAt" | "createdAt"
> & { unreadable: boolean };

/** Columns of a request for codes that the dashboard shows. */
export const CODE_REQUEST_FIELDS = [
  "id",
  "poolId",
  "origin",
  "offerName",
  "amount",
  "expiresOn",
  "state",
  "imported",
  "trouble",
  "createdAt",
] as const satisfies readonly (keyof CodeRequestRow)[];

/** A request for codes in the dashboard. */
export interface CodeRequestView extends Pick<CodeRequestRow, (typeof CODE_REQUEST_FIELDS)[number]> {
  /** Name of the pool. */
  pool: string;
  /** Set once the batch is imported. */
  batchId: string | null;
  /** No process has worked on it for more than a minute although it is due. */
  late: boolean;
}

/** Settings of a refill rule, in its view and in the audit log. */
export const REFILL_SETTINGS = [
  "offerName",
  "laterOffers",
  "threshold",
  "amount",
  "quarterCap",
  "validDays",
  "enabled",
] as const satisfies readonly (keyof RefillRow)[];

/** The field of the form that stores a setting of a rule. */
const refillField = (name: (typeof REFILL_SETTINGS)[number]) => (name === "offerName" ? "offer" : name);

/** A setting of a rule, as the audit log names it, by the field of the form. */
export const refillSettingOf = (field: string) => (field === "offer" ? "offerName" : field);

/** The settings of a rule by the fields of its form, the offers by their names; null for a pool without a rule. */
export function refillSettings(rule: Pick<RefillRow, (typeof REFILL_SETTINGS)[number]> | undefined) {
  const later = rule?.laterOffers.map(({ name }) => name);
  return Object.fromEntries(
    REFILL_SETTINGS.map((name) => [
      refillField(name),
      (name === "laterOffers" ? later : rule?.[name]) ?? null,
    ]),
  );
}

/** A refill rule in the dashboard. */
export interface RefillView
  extends Pick<RefillRow, "poolId" | "stopped" | "stoppedBecause" | (typeof REFILL_SETTINGS)[number]> {
  offer: string;
  /** Codes requested in this quarter. */
  used: number;
}
