import { z } from "zod";

/** Answer of `GET /health`. */
export const healthResponse = z.object({ status: z.literal("ok") });
