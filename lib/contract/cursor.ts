import { z } from "zod";

/** Where a list of the dashboard goes on, as it stands in the address bar. What no list made begins at the start. */
export const listCursor = z.string().max(4_000).optional().catch(undefined);
