import { createHash } from "node:crypto";
import { z } from "zod";
import { fail } from "@/lib/errors";
import type { OwnNames } from "@/lib/providers/adapter";

/**
 * Fields as providers send them. One of another type than documented counts as absent: they add and change fields
 * without a version, and an event must not be lost to that.
 */
export const text = z.string().optional().catch(undefined);
export const flag = z.boolean().optional().catch(undefined);
export const amount = z.number().optional().catch(undefined);
export const list = z.array(z.unknown()).optional().catch(undefined);

/** The bounds of a JavaScript date. */
const MAX_TIME = 8.64e15;

/** Unix milliseconds. */
export const millis = z.number().int().positive().max(MAX_TIME).nullable().catch(null);

/** Unix seconds, as milliseconds. */
export const seconds = z
  .number()
  .positive()
  .max(MAX_TIME / 1000)
  .transform((value) => Math.round(value * 1000))
  .nullable()
  .catch(null);

/** A date and time with its offset from UTC, `+0000` too, as milliseconds. */
export const isoTime = z
  .string()
  .transform((value) => Date.parse(value.replace(/([+-]\d{2})(\d{2})$/, "$1:$2")))
  .refine(Number.isFinite)
  .nullable()
  .catch(null);

/** An id that some send as text and some as number. */
export const idText = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);

/** Reads the fields that decide. Throws VALIDATION_ERROR, naming the field that carries the type. */
export function readFields<T extends z.ZodType>(schema: T, value: unknown, field: string): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  return fail("VALIDATION_ERROR", `\`${field}\` must be a text that is not empty`, { field });
}

/** The object under a name. Throws VALIDATION_ERROR where it is something else. */
export function objectField(payload: Record<string, unknown>, field: string): Record<string, unknown> {
  const value = payload[field];
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  return fail("VALIDATION_ERROR", `\`${field}\` must be an object`, { field });
}

/** An id for an event that has none: the same bytes are the same event. */
export function idOfBody(rawBody: Uint8Array): string {
  return `body:${createHash("sha256").update(rawBody).digest("hex")}`;
}

/** An event's name as its provider documents it, however the owner has capitalised or spaced it there. */
export function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/** The documented name of an event: the one that its owner has said it stands for, else its own, plainly written. */
export function documentedName(name: string, own: OwnNames | null | undefined): string {
  const plain = plainName(name);
  const said = Object.entries(own?.events ?? {}).find(([theirs]) => plainName(theirs) === plain);
  return plainName(said?.[1] ?? plain);
}
