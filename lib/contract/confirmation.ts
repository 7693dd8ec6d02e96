import { z } from "zod";
import { VERDICTS } from "./provider";

/** Answer to a provider's delivery. */
export const confirmationResponse = z.object({
  status: z.enum([...VERDICTS, "duplicate"]).meta({ description: "What became of the event." }),
  matched: z.boolean().meta({ description: "Whether it belongs to a referral of the app." }),
});
