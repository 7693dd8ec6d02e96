/** How a list's place is told in an address: the ordering values of the last row seen, as text that keeps every digit. */
export type KeyType = "timestamptz" | "uuid" | "text";

const SHAPES: Record<KeyType, RegExp> = {
  timestamptz: /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)*$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  text: /^[^\0]{0,1000}$/su,
};

/** The place of a row as text for an address. */
export function encodeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** The values of a cursor; undefined for anything that the list did not make, which then begins at the start. */
export function decodeCursor(cursor: string | undefined, types: readonly KeyType[]): string[] | undefined {
  if (!cursor) return undefined;
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (!Array.isArray(values) || values.length !== types.length) return undefined;
    const sound = types.every((type, n) => typeof values[n] === "string" && SHAPES[type].test(values[n]));
    return sound ? values : undefined;
  } catch {
    return undefined;
  }
}
