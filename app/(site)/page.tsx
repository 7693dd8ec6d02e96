import type { Metadata } from "next";
import { Exchange } from "@/components/site/exchange";
import { Flow } from "@/components/site/flow";
import { Hero } from "@/components/site/hero";
import { SITE_LINKS } from "@/components/site/links";
import { LoopPicture } from "@/components/site/loop-picture";
import { Part } from "@/components/site/part";
import { PromiseList } from "@/components/site/promise-list";
import { SelfHost } from "@/components/site/self-host";
import { SHARE_PICTURE } from "@/components/site/share-picture";
import { SiteFooter } from "@/components/site/site-footer";
import { SiteHeader } from "@/components/site/site-header";
import { shownExchange } from "@/lib/docs/shown-exchange";
import { findCurrentPerson } from "@/lib/session/person";

const TITLE = "Metacode: referrals that end in a promo code";
const DESCRIPTION =
  "Self-hosted referral promo codes for mobile apps: a metacode to share, a store code for the friend, rewards when they subscribe.";

export const metadata: Metadata = {
  title: { absolute: TITLE },
  description: DESCRIPTION,
  alternates: { canonical: "/" },
  openGraph: {
    title: TITLE,
    description: DESCRIPTION,
    url: "/",
    siteName: "Metacode",
    type: "website",
    images: [SHARE_PICTURE],
  },
  twitter: { card: "summary_large_image", title: TITLE, description: DESCRIPTION },
};

/** Without the database the page is as good as for a stranger. */
const findEntrance = async () =>
  (await findCurrentPerson().catch(() => undefined)) ? SITE_LINKS.dashboard : SITE_LINKS.signIn;

const FOOTER = [
  SITE_LINKS.docs,
  SITE_LINKS.quickstart,
  { href: "/docs/self-hosting", name: "Self-hosting" },
  { href: "/docs/api", name: "API" },
  { href: "/docs/privacy", name: "Privacy" },
];

export default async function FrontPage() {
  const [entrance, exchange] = await Promise.all([findEntrance(), shownExchange()]);
  return (
    <>
      <SiteHeader entrance={entrance} />
      <main className="mx-auto grid max-w-5xl grid-cols-1 gap-20 px-5 pt-14 pb-24 sm:gap-28 sm:px-8 sm:pt-24">
        <Hero entrance={entrance} />
        <Part
          id="loop"
          title="How it goes round"
          lead="One user, one friend, two stores, and the service in between."
        >
          <LoopPicture />
          <Flow />
        </Part>
        {exchange && (
          <Part
            id="exchange"
            title="One request, one code"
            lead="This one is from the quickstart, and a test of the repository sends it. The code is given to Bob and to nobody else, ever."
          >
            <Exchange {...exchange} />
          </Part>
        )}
        <Part
          id="promises"
          title="Promises you can run"
          lead="Codes are money here. So each promise comes with the command that shows it on your own machine."
        >
          <PromiseList />
        </Part>
        <Part
          id="self-host"
          title="Yours with one command"
          lead="You need Node 20.9 or newer and a clone of the repository. The command builds, makes a database and prints an API key."
        >
          <SelfHost />
        </Part>
      </main>
      <SiteFooter links={FOOTER} />
    </>
  );
}
