import { z } from "zod";
import { batchInput } from "@/lib/contract/batch";
import { uuidField } from "@/lib/contract/uuid";
import { dayField } from "@/lib/stores/day-field";
import { timeOf } from "./id-time";

const DAY_MS = 86_400_000;

const shape = {
  poolId: z.string({ error: "Choose a pool" }).pipe(uuidField("poolId")),
  offer: batchInput.shape.offer,
  expiresAt: dayField("expiresAt").optional(),
  origin: batchInput.shape.origin,
};

/** What the address of an uploaded file says of it. */
export const fileQuery = z.object(shape);

/** The same, with the id that the dry run gave: made lately, because batches are listed in the order of their ids. */
export const storeQuery = z.object({
  ...shape,
  batchId: uuidField("batchId").refine((id) => id[14] === "7" && Math.abs(Date.now() - timeOf(id)) < DAY_MS, {
    error: "The file was checked too long ago: check it again",
    path: [],
  }),
});
