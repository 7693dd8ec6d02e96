import { z } from "zod";
import { listCursor } from "./cursor";
import { DELIVERY_STATUSES } from "./webhook-events";

/** What of an endpoint's deliveries is wanted, as it stands in the address bar; nonsense counts as absent. */
export const deliveryFilters = z.object({
  status: z.enum(DELIVERY_STATUSES).optional().catch(undefined),
  cursor: listCursor,
  /** The delivery that is opened. */
  delivery: z.uuid().optional().catch(undefined),
});
