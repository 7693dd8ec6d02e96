import { z } from "zod";
import { uuidField } from "./uuid";
import { wholeField } from "./whole";

export const OFFER_TYPES = ["subscription", "in_app_purchase"] as const;
export type OfferType = (typeof OFFER_TYPES)[number];

/** Apple makes so many codes for one request. */
export const FEWEST_CODES = 10;
export const MOST_CODES = 10_000;

/** Codes that Apple makes for one app in a calendar quarter. */
export const STORE_LIMIT = 1_000_000;

/** Days for which a refill's codes may be valid: Apple's six months are at least 181. */
export const MOST_DAYS = 180;

/** An offer as the store lists it. */
export interface StoreOffer {
  type: OfferType;
  id: string;
  name: string;
  product: string;
  productId: string;
  active: boolean;
}

/** An offer as a form names it: its type and the store's id. */
const offerField = z
  .string({ error: "offer is required" })
  .regex(/^(subscription|in_app_purchase):[\w-]{1,100}$/, { error: "offer must be one of the list" })
  .transform((text) => {
    const [type, id = ""] = text.split(":");
    return { type: type as OfferType, id };
  });

/** The form's word for an offer. */
export const offerWord = ({ type, id }: Pick<StoreOffer, "type" | "id">): string => `${type}:${id}`;

const KEY_TEXT = { error: "privateKey must be the whole content of the .p8 file" };

/** A key of App Store Connect as its owner pastes it. */
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

/** Codes that a person asks for; sent twice with the same `requestId` they are asked for once. */
export const codeRequestInput = z.object({
  requestId: uuidField("requestId").optional(),
  poolId: uuidField("poolId"),
  offer: offerField,
  amount: wholeField("amount", FEWEST_CODES, MOST_CODES),
  expiresOn: z
    .string({ error: "expiresOn is required" })
    .pipe(z.iso.date({ error: "expiresOn must be a day such as 2027-03-31" })),
});

/** How a pool fills itself up. */
export const refillInput = z.object({
  poolId: uuidField("poolId"),
  offer: offerField,
  threshold: wholeField("threshold", 0, 1_000_000),
  amount: wholeField("amount", FEWEST_CODES, MOST_CODES),
  quarterCap: wholeField("quarterCap", FEWEST_CODES, STORE_LIMIT),
  validDays: wholeField("validDays", 7, MOST_DAYS),
});

export type CodeRequestState = "asked" | "made" | "imported" | "unclear" | "refused" | "given_up";
export type RefillStop = "cap" | "store_limit" | "key" | "refused" | "nothing_new";

/** What the dashboard shows of a key: never the key itself. */
export interface StoreKeyView {
  issuerId: string;
  keyId: string;
  /** Why it cannot be used, in words. */
  trouble: string | null;
  listedAt: Date | null;
  createdAt: Date;
}

/** A request for codes in the dashboard. */
export interface CodeRequestView {
  id: string;
  poolId: string;
  pool: string;
  origin: "person" | "refill";
  offerName: string;
  amount: number;
  expiresOn: string;
  state: CodeRequestState;
  imported: number | null;
  batchId: string | null;
  trouble: string | null;
  createdAt: Date;
}

/** A pool's refill in the dashboard. */
export interface RefillView {
  poolId: string;
  offer: string;
  offerName: string;
  threshold: number;
  amount: number;
  quarterCap: number;
  validDays: number;
  enabled: boolean;
  stopped: RefillStop | null;
  stoppedBecause: string | null;
  /** Codes that were asked for in this quarter. */
  used: number;
}
