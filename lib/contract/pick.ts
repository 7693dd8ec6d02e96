/** The keys of an object literal, with their types. */
export const keysOf = <Values extends object>(values: Values) => Object.keys(values) as (keyof Values)[];

/** The named fields of a row, in the order of the names. */
export function pick<Row extends object, Key extends keyof Row>(
  row: Row,
  keys: readonly Key[],
): Pick<Row, Key> {
  return Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>;
}
