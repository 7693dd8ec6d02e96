import { z } from "zod";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text from outside can be compared with a `uuid` column, which raises an error for anything else. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** A UUID in any case; anything else is refused with the field's name. */
export function uuidField(name: string) {
  return z
    .string({ error: `${name} must be a UUID` })
    .regex(UUID, { error: `${name} must be a UUID` })
    .transform((value) => value.toLowerCase())
    .meta({ format: "uuid" });
}
