/** Where the public pages lead. */
export const SITE_LINKS = {
  dashboard: { href: "/dashboard", name: "Dashboard" },
  signIn: { href: "/sign-in", name: "Sign in" },
  docs: { href: "/docs", name: "Docs" },
  quickstart: { href: "/docs/quickstart", name: "Quickstart" },
} as const;

export interface SiteLink {
  href: string;
  name: string;
}
