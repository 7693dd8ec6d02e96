import { z } from "zod";

/** A whole number from `min` to `max`, refused in one sentence that names the field. */
export function wholeField(field: string, min: number, max: number) {
  const error = `${field} must be a whole number from ${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

/** The same from a form, where every value is text. */
export function wholeText(field: string, min: number, max: number) {
  const read = (value: unknown) =>
    typeof value === "string" && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return z.preprocess(read, wholeField(field, min, max));
}
