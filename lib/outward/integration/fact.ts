import type { CheckView } from "@/lib/contract/integration-check";

/** One part of the integration as it was read, before the app's problems are added. */
export interface Fact extends Omit<CheckView, "problems"> {
  /** Ids of the rows that it covers: their problems belong to it. */
  rows: readonly string[];
}

/** Some names in one line: `a, b and c`. */
export const listed = new Intl.ListFormat("en", { type: "conjunction" });
