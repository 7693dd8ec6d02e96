import { z } from "zod";
import { checkbox, nameField, type Platform, wholeField, wholeText } from "./fields";
import { PLATFORMS } from "./format";
import { readStoreLinks } from "./store-link";

/** Codes that a referrer of a new live app may bring in 24 hours: enough for friends, too few to be worth stealing. */
export const DEFAULT_REFERRER_CAP = 30;

/** The range of each setting that is a number, for the API and the forms alike. */
export const APP_RANGES = {
  /** At most ten years, which in practice means until the referral is confirmed. */
  retryWindowHours: { min: 0, max: 87_600 },
  referrerDailyCap: { min: 1, max: 1_000_000 },
  requestLogDays: { min: 1, max: 90 },
  payloadDays: { min: 1, max: 3_650 },
} as const;

type RangedSetting = keyof typeof APP_RANGES;

const whole = (name: RangedSetting) => wholeField(name, APP_RANGES[name].min, APP_RANGES[name].max);
const wholeFromForm = (name: RangedSetting) => wholeText(name, APP_RANGES[name].min, APP_RANGES[name].max);

/** The store id in a text that is the id itself or the app's address in that store. */
function storeIdIn(platform: Platform, text: string): string {
  const [link, another] = readStoreLinks(text).filter((found) => found.platform === platform);
  return link && !another ? link.id : text.trim();
}

const appleAppId = z
  .string()
  .transform((text) => storeIdIn("ios", text))
  .pipe(
    z
      .string()
      .regex(/^[1-9]\d{5,14}$/, { error: "appleAppId must be the number in apps.apple.com/app/id<number>" }),
  );

const androidPackage = z
  .string()
  .transform((text) => storeIdIn("android", text))
  .pipe(
    z
      .string()
      .max(150)
      .regex(/^[a-zA-Z]\w*(\.[a-zA-Z]\w*)+$/, {
        error: "androidPackage must be a package name such as com.example.app",
      }),
  );

/** The addresses of one app, in one store or in both, in any text. */
export const appAddresses = z
  .string()
  .transform(readStoreLinks)
  .refine((links) => links.length > 0, {
    error: "storeLink must be the app's address in the App Store or on Google Play",
  })
  .refine((links) => new Set(links.map(({ platform }) => platform)).size === links.length, {
    error: "storeLink has the addresses of several apps in one store. Paste that of one app",
  });

/** A new app. Store ids lead to the store pages and the redeem links; the app's address in the store will also do. */
export const appInput = z.object({
  name: nameField("name"),
  sandbox: z.boolean().default(false),
  appleAppId: appleAppId.nullish(),
  androidPackage: androidPackage.nullish(),
  retryWindowHours: whole("retryWindowHours").default(24),
  referrerDailyCap: whole("referrerDailyCap").nullish(),
});

/** The platforms whose store id an app has. */
export const platformsOfApp = (app: {
  appleAppId: string | null;
  androidPackage: string | null;
}): Platform[] =>
  PLATFORMS.filter((platform) => (platform === "ios" ? app.appleAppId : app.androidPackage) !== null);

export type AppInput = z.input<typeof appInput>;

/** An icon in a form: a square PNG of at most 200 kB in Base64. */
export const iconText = z.string().max(300_000, { error: "icon must be at most 200 kB" }).optional();

const FINGERPRINT = /^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/;

/** Separated by blanks, lines or commas, as `keytool` and the Play Console print them. */
const fingerprints = z
  .string()
  .default("")
  .transform((text) =>
    text
      .toUpperCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  )
  .pipe(
    z
      .array(
        z
          .string()
          .regex(FINGERPRINT, { error: "androidFingerprints must be SHA-256 fingerprints such as AB:CD:…" }),
      )
      .max(10, { error: "androidFingerprints must be at most 10" }),
  );

/** The identity of an app for users, stores, and phones that open its links. An empty field removes the value. */
export const appIdentity = z.object({
  name: z.string({ error: "name is required" }).pipe(appInput.shape.name),
  appleAppId: appInput.shape.appleAppId.default(null),
  androidPackage: appInput.shape.androidPackage.default(null),
  appleTeamId: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, { error: "appleTeamId must be the 10 letters and digits of your Apple team" })
    .nullish()
    .default(null),
  iosBundleId: z
    .string()
    .max(155)
    .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, {
      error: "iosBundleId must be a bundle ID such as com.example.app",
    })
    .nullish()
    .default(null),
  androidFingerprints: fingerprints,
});

/** The look of the landing page. */
export const appAccent = z.object({
  accentColor: z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, { error: "accentColor must be a colour such as #1d4ed8" })
    .nullish()
    .default(null),
});

/** Rules for retries and against fraud. */
export const appRules = z.object({
  retryWindowHours: wholeFromForm("retryWindowHours"),
  referrerDailyCap: wholeFromForm("referrerDailyCap").nullish().default(null),
  reviewsBeyondCaps: checkbox,
});

/** Days for which logs and payloads are retained. */
export const appRetention = z.object({
  requestLogDays: wholeFromForm("requestLogDays"),
  payloadDays: wholeFromForm("payloadDays"),
});

/** Every setting that an update may change; whether an app is a sandbox is fixed. */
export type AppSettings = z.output<typeof appIdentity> &
  z.output<typeof appAccent> &
  z.output<typeof appRules> &
  z.output<typeof appRetention>;
