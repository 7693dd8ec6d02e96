import { z } from "zod";
import { uuidField } from "./fields";

/** The form of the bar to which the checkboxes of a list belong. */
export const BULK_FORM = "bulk";

/** Maximum rows that one call changes. */
export const MOST_ROWS = 200;

/** The chosen rows of a list. */
export const chosenRows = {
  ids: z
    .array(uuidField("ids"))
    .min(1, "Choose at least one row")
    .max(MOST_ROWS, `Choose at most ${MOST_ROWS} rows`)
    .transform((ids) => [...new Set(ids)]),
};

/** How many rows changed, and why the others did not. */
export interface BulkOutcome {
  done: number;
  failed: { id: string; message: string }[];
}
