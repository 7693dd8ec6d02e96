import { z } from "zod";
import { nameField } from "./name";
import { uuidField } from "./uuid";

/** The store's name of the offer that a batch's codes belong to. */
const offer = nameField("offer").nullish();

const expiresAt = z
  .date({ error: "expiresAt must be a date and time" })
  .refine((date) => date > new Date(), { error: "expiresAt must be in the future" })
  .nullish();

/** What an upload says of its codes. */
export const batchInput = z.object({
  offer,
  expiresAt,
  kind: z.enum(["one_time", "custom"], { error: "kind must be 'one_time' or 'custom'" }),
  origin: z
    .string()
    .max(255)
    .refine((text) => !text.includes("\0") && text.isWellFormed())
    .nullish(),
});

export const CODE_PATTERN = /^[A-Za-z0-9._-]{4,64}$/;

const WHOLE = { error: "limit must be a whole number from 1 to 99,999" };

/** One text that many people redeem, up to the limit that the store was told. */
export const customCodeInput = z.object({
  code: z.string().trim().regex(CODE_PATTERN, {
    error: "code must be 4 to 64 letters, digits, dots, hyphens or underscores",
  }),
  limit: z.number(WHOLE).int(WHOLE).min(1, WHOLE).max(99_999, WHOLE),
  offer,
  expiresAt,
});

/** What may be changed of a batch that is there; `expiresAt: null` is a batch without an end. */
export const batchChange = z.object({ batchId: uuidField("batchId"), offer, expiresAt });

export const CODE_STATUSES = ["available", "assigned", "confirmed", "void"] as const;
export type CodeStatus = (typeof CODE_STATUSES)[number];

export type BatchInput = z.input<typeof batchInput>;
export type CustomCodeInput = z.input<typeof customCodeInput>;
