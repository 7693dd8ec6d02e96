import { z } from "zod";
import { wholeField } from "./whole";

/** The plans of section 8, as the operator writes them. */
export const planField = z.enum(["free", "basic", "pro", "enterprise"], {
  error: "plan must be 'free', 'basic', 'pro' or 'enterprise'",
});

export type Plan = z.output<typeof planField>;

/** Requests a month in place of the plan's own number. */
export const quotaField = wholeField("quota", 0, 1_000_000_000_000);
