type Values = Record<string, unknown>;

/** The part of two states that differs, for the audit log; a value that one of them lacks is null in it. */
export function changesOf(before: Values, after: Values): { before: Values; after: Values } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const text = (value: unknown) => JSON.stringify(value ?? null);
  const differ = names.filter((name) => text(before[name]) !== text(after[name]));
  const pick = (values: Values) => Object.fromEntries(differ.map((name) => [name, values[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
