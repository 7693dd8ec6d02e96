import { z } from "zod";
import { platformField } from "./fields";
import { nameField } from "./name";

/** A new pool of codes. */
export const poolInput = z.object({
  platform: platformField,
  use: z.enum(["referee", "reward"], { error: "use must be 'referee' or 'reward'" }),
  name: nameField("name"),
  lowStock: z
    .number({ error: "lowStock must be a whole number" })
    .int({ error: "lowStock must be a whole number" })
    .min(0, { error: "lowStock must not be negative" })
    .max(1_000_000, { error: "lowStock must be at most 1,000,000" })
    .default(50),
});

export type PoolInput = z.input<typeof poolInput>;
