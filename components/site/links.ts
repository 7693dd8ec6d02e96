/** Where the front page leads. */
export const SITE_LINKS = {
  dashboard: { href: "/dashboard", name: "Open dashboard" },
  signIn: { href: "/sign-in", name: "Sign in" },
};

export type SiteLink = (typeof SITE_LINKS)[keyof typeof SITE_LINKS];
