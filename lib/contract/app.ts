import { z } from "zod";
import { nameField } from "./name";
import { wholeField } from "./whole";

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
  retryWindowHours: wholeField("retryWindowHours", 0, 168).default(24),
  referrerDailyCap: wholeField("referrerDailyCap", 1, 1_000_000).nullish(),
});

export type AppInput = z.input<typeof appInput>;
