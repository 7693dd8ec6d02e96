import { z } from "zod";
import { platformField } from "./fields";
import { nameField } from "./name";
import { uuidField } from "./uuid";

const lowStock = z
  .number({ error: "lowStock must be a whole number" })
  .int({ error: "lowStock must be a whole number" })
  .min(0, { error: "lowStock must not be negative" })
  .max(1_000_000, { error: "lowStock must be at most 1,000,000" });

const MAX_RECIPIENTS = 10;

/** Who is told by mail when the stock is low. None: the owners and admins of the workspace. */
const alertTo = z
  .array(z.string())
  .refine((addresses) => addresses.every((address) => z.email().max(254).safeParse(address).success), {
    error: "alertTo must be e-mail addresses",
  })
  .refine((addresses) => addresses.length <= MAX_RECIPIENTS, {
    error: `alertTo must be at most ${MAX_RECIPIENTS} addresses`,
  })
  .transform((addresses) => [...new Set(addresses.map((address) => address.toLowerCase()))]);

/** A new pool of codes. */
export const poolInput = z.object({
  platform: platformField,
  use: z.enum(["referee", "reward"], { error: "use must be 'referee' or 'reward'" }),
  name: nameField("name"),
  lowStock: lowStock.default(50),
  alertTo: alertTo.default([]),
});

/** What may be changed of a pool; platform and use are what its codes are. */
export const poolChange = z.object({
  poolId: uuidField("poolId"),
  name: nameField("name"),
  lowStock,
  alertTo,
});

export type PoolInput = z.input<typeof poolInput>;
