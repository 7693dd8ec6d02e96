import type { Context } from "@/lib/context";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import { OWN_TEXT_KEYS, type OwnTextKey } from "@/lib/contract/landing-texts";
import { landingTexts } from "@/lib/landing/texts";
import { storesOf } from "@/lib/landing/view";

/** What the page says by itself in a language, with `{app}` and the like in place of values. */
export function defaultTexts(ctx: Context, language: LandingLanguage): Record<OwnTextKey, string> {
  const texts = landingTexts(language, {
    ...{ app: "{app}", inviter: "{inviter}", metacode: "{metacode}" },
    stores: storesOf(ctx.app.appleAppId ?? undefined, ctx.app.androidPackage ?? undefined),
  });
  const plain = (key: OwnTextKey) => texts[key].replace(/[\u2068\u2069]/g, "");
  return Object.fromEntries(OWN_TEXT_KEYS.map((key) => [key, plain(key)])) as Record<OwnTextKey, string>;
}
