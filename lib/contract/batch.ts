import { z } from "zod";
import type { batches, codes } from "@/lib/platform/db/schema";
import { offerField, uuidField } from "./fields";

type BatchRow = typeof batches.$inferSelect;

/** The states of a batch as a sentence names them: "The batch is in use". */
export const BATCH_STATE_LABELS: Record<BatchRow["state"], string> = {
  importing: "being imported",
  ready: "in use",
  drained: "used up",
  quarantined: "quarantined",
  undone: "undone",
};

const timestamp = z.date({ error: "expiresAt must be a date and time" });

export const EXPIRES_IN_PAST = "expiresAt must be in the future";

const expiresAt = timestamp.refine((date) => date > new Date(), { error: EXPIRES_IN_PAST }).nullish();

/** Settings of a batch that may be updated after its import. No `expiresAt`: the codes never expire. */
export const BATCH_SETTINGS = {
  /** The store's name of the offer that the codes redeem. */
  offer: offerField("offer").nullish(),
  expiresAt,
} satisfies Partial<Record<keyof BatchRow, z.ZodType>>;

/** The description of an upload. */
export const batchInput = z.object({
  ...BATCH_SETTINGS,
  kind: z.enum(["one_time", "custom"], { error: "kind must be 'one_time' or 'custom'" }),
  origin: z
    .string()
    .max(255)
    .refine((text) => !text.includes("\0") && text.isWellFormed())
    .nullish(),
});

export const CODE_PATTERN = /^[A-Za-z0-9._-]{4,64}$/;

const LIMIT = { error: "limit must be a whole number from 1 to 99,999" };

/** One text that many people redeem, up to the limit set in the store. */
export const customCodeInput = z.object({
  code: z.string().trim().regex(CODE_PATTERN, {
    error: "code must be 4 to 64 letters, digits, dots, hyphens or underscores",
  }),
  limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(99_999, LIMIT),
  ...BATCH_SETTINGS,
});

/** The expiry of an expired batch stays as it is while its offer is updated. */
export const batchUpdate = z.object({
  batchId: uuidField("batchId"),
  offer: BATCH_SETTINGS.offer,
  expiresAt: timestamp.nullish(),
});

export const CODE_STATUSES = ["available", "reserved", "assigned", "confirmed", "void"] as const;
export type CodeStatus = (typeof codes.$inferSelect)["status"];

export type BatchInput = z.input<typeof batchInput>;
export type CustomCodeInput = z.input<typeof customCodeInput>;

/** The fields that describe a batch, in its view and in the audit log of its import. */
export const BATCH_FIELDS = [
  "poolId",
  "offer",
  "kind",
  "origin",
  "expiresAt",
] as const satisfies readonly (keyof BatchRow)[];

/** The codes of a batch or a pool, by their state. */
export interface CodeCounts {
  /** Codes uploaded. An undone batch counts those that stay with their users. */
  size: number;
  /** Codes ever assigned, confirmed codes included. */
  assigned: number;
  confirmed: number;
  /** Codes that are set aside for referees in line. */
  reserved: number;
  /** Codes that can be assigned now. */
  free: number;
  /** Free codes of a quarantined batch. */
  quarantined: number;
  /** Free codes that have expired, or will within the campaign's safety margin. */
  expired: number;
}

/** A batch as the dashboard shows it. */
export interface BatchView
  extends Pick<BatchRow, "id" | "state" | "createdAt" | (typeof BATCH_FIELDS)[number]>,
    CodeCounts {}

/** The display name of a batch: its file, otherwise its offer. */
export function batchName({ origin, offer }: { origin?: string | null; offer?: string | null }): string {
  return origin ?? offer ?? "Unnamed batch";
}
