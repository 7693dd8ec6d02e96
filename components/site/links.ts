/** Links of the public pages. */
export const SITE_LINKS = {
  dashboard: { href: "/dashboard", name: "Dashboard" },
  signUp: { href: "/sign-up", name: "Sign up" },
  signIn: { href: "/sign-in", name: "Sign in" },
  docs: { href: "/docs", name: "Docs" },
  quickstart: { href: "/docs/quickstart", name: "Quickstart" },
} as const;

export interface SiteLink {
  href: string;
  name: string;
}

/** The picture of the public pages in link previews. */
export const SHARE_PICTURE = {
  url: "/share.png",
  width: 1200,
  height: 630,
  alt: "Metacode: referrals that end in a promo code",
};
