/** @jsxImportSource hono/jsx */
import type { LandingView } from "@/lib/contract/landing";
import { LANDING_TAGS, type LandingLanguage } from "@/lib/contract/landing-languages";
import { descriptionOf, titleOf } from "./headings";

/** The metadata for chat apps, and Safari's banner, which opens the installed app. */
export function LinkPreview({ view }: { view: LandingView }) {
  const title = titleOf(view);
  const description = descriptionOf(view);
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={view.url} />
      <meta property="og:site_name" content={view.appName} />
      <meta property="og:locale" content={LOCALES[view.language]} />
      <meta property="og:image" content={view.imageUrl} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={title} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:image:alt" content={title} />
      {view.appleAppId && view.state === "open" && (
        <meta
          name="apple-itunes-app"
          content={`app-id=${view.appleAppId}, app-argument=${appArgument(view)}`}
        />
      )}
    </>
  );
}

/** The languages with the country of most speakers, because Open Graph requires a country. */
const LOCALES = Object.fromEntries(
  LANDING_TAGS.map((tag) => {
    const { language, region } = new Intl.Locale(tag).maximize();
    return [tag, `${language}_${region}`];
  }),
) as Record<LandingLanguage, string>;

function appArgument({ url, clickId }: LandingView): string {
  return clickId ? `${url}?click_id=${clickId}` : url;
}
