import type { Metadata } from "next";
import { SiteFooter, SiteHeader } from "@/components/site/header-footer";
import { Hero } from "@/components/site/hero";
import {
  DifferenceList,
  FourCalls,
  HomeSection,
  RequestExample,
  SelfHost,
} from "@/components/site/home-sections";
import { SHARE_PICTURE, SITE_LINKS, type SiteLink } from "@/components/site/links";
import { LoopPicture } from "@/components/site/loop-picture";
import { env } from "@/lib/platform/env";
import { findQuickstartExchange } from "@/lib/web/docs/page";
import { findAccountUser } from "@/lib/web/session/current-user";
import { enterDemoAction } from "../(auth)/sign-in/actions";

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

interface Entrance {
  entrance: SiteLink;
  links: SiteLink[];
  /** Whether the visitor may open the demo. */
  demo: boolean;
}

/** Without the database, the page treats every visitor as signed out. */
async function findEntrance(): Promise<Entrance> {
  const { PUBLIC_DEMO, SIGN_UP, SOURCE_URL } = env();
  const signedIn = await findAccountUser().catch(() => undefined);
  const entrance = signedIn ? SITE_LINKS.dashboard : SITE_LINKS.signIn;
  const first = signedIn || SIGN_UP === "closed" ? entrance : SITE_LINKS.signUp;
  const source = SOURCE_URL ? [{ href: SOURCE_URL, name: "Source code" }] : [];
  // By the setting alone, because the page is cached for other visitors, and the demo may be built later.
  const demo = !signedIn && PUBLIC_DEMO === "on";
  return {
    entrance,
    demo,
    links: [first, { ...SITE_LINKS.quickstart, name: "Try it in ten minutes" }, ...source],
  };
}

const FOOTER = [
  SITE_LINKS.docs,
  SITE_LINKS.quickstart,
  { href: "/docs/self-hosting", name: "Self-hosting" },
  { href: "/docs/api", name: "API" },
  { href: "/docs/changelog", name: "Changelog" },
  { href: "/docs/privacy", name: "Privacy" },
];

/** The reasons why the demo did not open, by their names in the address. */
const NOTICES = new Map([
  ["later", "The demo was opened too often from your network. Try again in an hour."],
  ["soon", "The demo is not ready yet. Try again in a minute."],
]);

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function FrontPage({ searchParams }: Props) {
  const { demo: refused } = await searchParams;
  const notice = NOTICES.get(String(refused));
  const [{ entrance, links, demo }, exchange] = await Promise.all([findEntrance(), findQuickstartExchange()]);
  return (
    <>
      <SiteHeader entrance={entrance} />
      <main className="mx-auto grid max-w-5xl grid-cols-1 gap-20 px-5 pt-14 pb-24 sm:gap-28 sm:px-8 sm:pt-24">
        <Hero links={links} {...(demo && { enterDemo: enterDemoAction })} {...(notice && { notice })} />
        <HomeSection
          id="differences"
          title="Five differences"
          lead="Codes are worth money. Each difference comes with the page that proves it."
        >
          <DifferenceList />
        </HomeSection>
        <HomeSection
          id="loop"
          title="How it works"
          lead="One user, one friend, two stores, and Metacode in between."
        >
          <LoopPicture />
          <FourCalls />
        </HomeSection>
        {exchange && (
          <HomeSection
            id="exchange"
            title="One request, one code"
            lead="This request is from the quickstart, and a test of the repository sends it. The code is assigned to Bob and never to anyone else."
          >
            <RequestExample {...exchange} />
          </HomeSection>
        )}
        <HomeSection
          id="self-host"
          title="Yours with one command"
          lead="You need Node.js 20.19+ or 22.12+ and a clone of the repository. The command builds the service, creates a database and prints an API key."
        >
          <SelfHost />
        </HomeSection>
      </main>
      <SiteFooter links={[...FOOTER, ...links.filter(({ href }) => href === env().SOURCE_URL)]} />
    </>
  );
}
