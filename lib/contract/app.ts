import { z } from "zod";
import { nameField } from "./name";

const whole = (name: string, min: number, max: number) =>
  z
    .number({ error: `${name} must be a whole number` })
    .int({ error: `${name} must be a whole number` })
    .min(min, { error: `${name} must be at least ${min}` })
    .max(max, { error: `${name} must be at most ${max}` });

/** What the owner says of an app. Store ids lead to the store pages and the redeem links. */
export const appInput = z.object({
  name: nameField("name"),
  sandbox: z.boolean().default(false),
  appleAppId: z
    .string()
    .regex(/^[1-9]\d{5,14}$/, { error: "appleAppId must be the number in apps.apple.com/app/id<number>" })
    .nullish(),
  androidPackage: z
    .string()
    .max(150)
    .regex(/^[a-zA-Z]\w*(\.[a-zA-Z]\w*)+$/, {
      error: "androidPackage must be a package name such as com.example.app",
    })
    .nullish(),
  retryWindowHours: whole("retryWindowHours", 0, 168).default(24),
  referrerDailyCap: whole("referrerDailyCap", 1, 1_000_000).nullish(),
});

export type AppInput = z.input<typeof appInput>;
