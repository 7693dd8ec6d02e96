/** @jsxImportSource hono/jsx */
import type { LandingView } from "@/lib/contract/landing";
import { descriptionOf, titleOf } from "./words";

/** What chat apps show of the link, and Safari's banner, which opens the app where it is installed. */
export function Preview({ view }: { view: LandingView }) {
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
      <meta name="twitter:card" content="summary" />
      {view.appleAppId && view.state === "open" && (
        <meta
          name="apple-itunes-app"
          content={`app-id=${view.appleAppId}, app-argument=${appArgument(view)}`}
        />
      )}
    </>
  );
}

function appArgument({ url, clickId }: LandingView): string {
  return clickId ? `${url}?click_id=${clickId}` : url;
}
