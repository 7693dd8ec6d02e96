import { z } from "zod";
import { uuidField } from "./fields";

/** Rows that one call changes at most: more than a page of any list has. */
const MOST = 200;

/** The chosen rows of a list. */
export const chosenRows = {
  ids: z
    .array(uuidField("ids"))
    .min(1, "Choose at least one row")
    .max(MOST, `Choose at most ${MOST} rows`)
    .transform((ids) => [...new Set(ids)]),
};

/** How many rows changed, and why the others did not. */
export interface BulkOutcome {
  done: number;
  failed: { id: string; message: string }[];
}
