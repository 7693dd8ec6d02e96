import { createHash } from "node:crypto";
import { z } from "zod";
import { fail } from "@/lib/platform/errors";
import type { IdentityLink, OwnNames } from "@/lib/program/providers/common/adapter";

/**
 * Fields as providers send them. A field of an undocumented type counts as absent: providers add and change fields
 * without a version, which must not lose events.
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

/** A date and time with its offset from UTC, `+0000` included, as milliseconds. */
export const isoTime = z
  .string()
  .transform((value) => Date.parse(value.replace(/([+-]\d{2})(\d{2})$/, "$1:$2")))
  .refine(Number.isFinite)
  .nullable()
  .catch(null);

/** An id that providers send as text or as a number. */
export const idText = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);

/** Reads the relevant fields. Throws VALIDATION_ERROR, naming the field that carries the type. */
export function readFields<T extends z.ZodType>(schema: T, value: unknown, field: string): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  return fail("VALIDATION_ERROR", `\`${field}\` must be a non-empty string`, { field });
}

/** The object under a name. Throws VALIDATION_ERROR if it is not an object. */
export function objectField(payload: Record<string, unknown>, field: string): Record<string, unknown> {
  const value = payload[field];
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  return fail("VALIDATION_ERROR", `\`${field}\` must be an object`, { field });
}

/** An id for an event without one: the same bytes are the same event. */
export function idOfBody(rawBody: Uint8Array): string {
  return `body:${createHash("sha256").update(rawBody).digest("hex")}`;
}

/** An event's name as its provider documents it, whatever the capitals and spaces of the received name. */
export function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/** The documented name of an event: the entry of the connection's own names, else its own name in plain form. */
export function documentedName(name: string, own: OwnNames | null | undefined): string {
  const plain = plainName(name);
  const entry = Object.entries(own?.events ?? {}).find(([ownName]) => plainName(ownName) === plain);
  return plainName(entry?.[1] ?? plain);
}

/** The distinct texts of a list, without empty ones. */
export const texts = (values: unknown): string[] => [
  ...new Set(
    (Array.isArray(values) ? values : [values]).filter((value) => typeof value === "string" && value !== ""),
  ),
];

/** An id, and if it is a UUID also in both cases: the App Store does not preserve the case, and Swift writes capitals. */
export function inAnyCase(id: string | undefined): string[] {
  const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id ?? "");
  return texts(isUuid ? [id, id?.toUpperCase(), id?.toLowerCase()] : id);
}

/** More ids than any person has; a longer list is a mistake or an attack. */
const MAX_IDS = 50;

/** The fewest links that join all ids: each old id to the first new one, and the first old id to the other new ones. */
export function linksBetween(from: string[], to: string[]): IdentityLink[] {
  const [oldest, newest] = [from[0], to[0]];
  if (oldest === undefined || newest === undefined) return [];
  const links = [
    ...from.slice(0, MAX_IDS).map((id) => ({ from: id, to: newest })),
    ...to.slice(1, MAX_IDS).map((id) => ({ from: oldest, to: id })),
  ];
  return links.filter((link) => link.from !== link.to);
}
