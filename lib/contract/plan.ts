import { z } from "zod";

/** The plans of section 8, as the operator writes them. */
export const planField = z.enum(["free", "basic", "pro", "enterprise"], {
  error: "plan must be 'free', 'basic', 'pro' or 'enterprise'",
});

export type Plan = z.output<typeof planField>;

/** Requests a month in place of the plan's own number. */
export const quotaField = z
  .number({ error: "quota must be a whole number" })
  .int({ error: "quota must be a whole number" })
  .min(0, { error: "quota must not be negative" })
  .max(1_000_000_000_000, { error: "quota must be at most 1,000,000,000,000" });
