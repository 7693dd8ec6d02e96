import {
  FileUp,
  KeyRound,
  type LucideIcon,
  Megaphone,
  Plug,
  Plus,
  ScrollText,
  Settings,
  UserPlus,
  UserRound,
  UsersRound,
} from "lucide-react";
import type { DocsHit } from "@/lib/contract/docs-search";
import { mayAct, type Role } from "@/lib/contract/workspace";
import { APP_PAGES, appPath, WORKSPACE_PAGES, workspacePath } from "./navigation";
import type { Places } from "./switcher";

/** A page or an action that the palette opens. */
export interface Destination {
  name: string;
  href: string;
  icon?: LucideIcon;
  /** The app or workspace, where several have the same name. */
  note?: string;
  /** Other words for it in a search. */
  keywords?: string;
  /** The keys that open it from anywhere. */
  keys?: string;
}

type Place = Omit<Destination, "href"> & { path: string };

/** Other words for the pages of the navigation, and their keys. */
const WORDS: Record<string, Pick<Destination, "keywords" | "keys">> = {
  "": { keywords: "home dashboard statistics figures analytics charts trend stock problems", keys: "g o" },
  "/start": { keywords: "setup checklist onboarding first steps" },
  "/campaigns": { keywords: "rules threshold influencers program pause end", keys: "g c" },
  "/codes": { keywords: "promo codes coupons pools batches stock offers", keys: "g p" },
  "/referrers": { keywords: "inviters metacodes users people find search rewards", keys: "g r" },
  "/referrals": { keywords: "referees invited friends", keys: "g f" },
  "/landing": { keywords: "texts colour color languages translation share image preview", keys: "g n" },
  "/check": { keywords: "test diagnose health status simulate journey", keys: "g i" },
  "/keys": { keywords: "apikey scopes token secret limits", keys: "g k" },
  "/requests": { keywords: "logs errors api calls debug", keys: "g l" },
  "/providers": { keywords: "connections purchases confirmations subscriptions", keys: "g v" },
  "/webhooks": { keywords: "endpoints events deliveries", keys: "g w" },
  "/alerts": { keywords: "notifications channels slack discord weekly email problems", keys: "g a" },
  "/settings": { keywords: "identity app name rename icon logo store id bundle package", keys: "g s" },
};

/** Pages below those of the navigation. */
const MORE_PAGES: readonly Place[] = [
  {
    path: "/settings/domain",
    name: "Domain",
    keywords: "dns cname custom host universal app links",
  },
  { path: "/settings/rules", name: "Retries and fraud", keywords: "cap limit retry window abuse" },
  { path: "/settings/privacy", name: "Privacy", keywords: "export erase delete user gdpr retention" },
  { path: "/settings/sandbox", name: "Sandbox", keywords: "test copy twin purchase reset" },
  { path: "/settings/delete", name: "Delete app", keywords: "remove close" },
  {
    path: "/codes/app-store",
    name: "App Store Connect",
    keywords: "apple generate codes refill offers key",
  },
  { path: "/codes/google-play", name: "Google Play", keywords: "android play store console promo codes" },
  {
    path: "/referrals/review",
    name: "Redemptions for review",
    keywords: "held limit cap approve dismiss fraud",
  },
  { path: "/providers/unmatched", name: "Unmatched events", keywords: "purchases events link" },
];

const action = (needs: Role, path: string, name: string, icon: LucideIcon, keywords: string) => ({
  needs,
  place: { path, name, icon, keywords },
});

/** The actions of an app, each with the lowest role that it needs. */
const APP_ACTIONS = [
  action("member", "/campaigns/new", "Create campaign", Megaphone, "new add"),
  action("member", "/codes/import", "Import codes", FileUp, "upload csv file add"),
  action("member", "/codes?new", "Create pool", Plus, "new add"),
  action("admin", "/keys?new", "Create API key", KeyRound, "new add"),
  action("admin", "/providers?new", "Connect provider", Plug, "new add"),
  action("admin", "/webhooks?new", "Add webhook endpoint", Plus, "new create"),
  action("admin", "/alerts?new", "Add alert channel", Plus, "new create notify"),
  action("member", "/settings/sandbox", "Simulate a purchase", Plus, "test sandbox confirm refund"),
  action("owner", "/settings/privacy", "Export or erase an end user", UserRound, "gdpr delete"),
];

/** The pages of one app, and the actions that a role may take there; `sandbox` says whether the app is a sandbox. */
export function appDestinations(
  appId: string,
  role?: Role,
  sandbox = false,
): Record<"pages" | "actions", Destination[]> {
  const base = appPath(appId);
  const pages = APP_PAGES.flatMap((group) => group.pages).map(({ path, ...page }) => {
    return { ...page, ...WORDS[path], href: base + path };
  });
  const placed = ({ path, ...place }: Place): Destination => ({ ...place, href: base + path });
  const more = MORE_PAGES.filter(({ path }) => pages.every(({ href }) => href !== base + path));
  return {
    pages: [...pages, ...more.map((place) => placed({ icon: Settings, ...place }))],
    actions: APP_ACTIONS.filter(
      ({ needs, place }) => role && mayAct(role, needs) && (sandbox || place.path !== "/settings/sandbox"),
    ).map(({ place }) => placed(place)),
  };
}

/** The pages of the workspaces, first those of the workspace on the screen. */
export function workspaceDestinations({ workspaces }: Places, current: string | undefined): Destination[] {
  const first = (id: string) => Number(id !== current);
  return workspaces
    .toSorted((a, b) => first(a.id) - first(b.id))
    .flatMap(({ id, name: note, role }) => [
      ...WORKSPACE_PAGES.filter((page) => mayAct(role, "admin") || !page.adminOnly).map(
        ({ path, name, icon, ...page }) => ({
          ...{ name, icon, note, href: workspacePath(id) + path, keywords: page.keywords },
          ...(id === current && path === "" && { keys: "g t" }),
        }),
      ),
      ...(mayAct(role, "admin")
        ? [
            {
              name: "Invite a colleague",
              note,
              icon: UserPlus,
              href: `${workspacePath(id)}?new`,
              keywords: "teammate member user people add",
            },
          ]
        : []),
    ]);
}

/** The pages outside apps and workspaces; a visitor of the demo has no account to create something in. */
export function generalDestinations({ demo, workspaces }: Places): Destination[] {
  const may = { account: !demo, admin: workspaces.some(({ role }) => mayAct(role, "admin")) };
  return GENERAL.filter(({ of }) => !of || may[of]).map(({ of: _, ...place }) => place);
}

const GENERAL: readonly (Destination & { of?: "account" | "admin" })[] = [
  { name: "All apps", href: "/dashboard", keywords: "home list switch", keys: "g h" },
  { name: "Create app", href: "/dashboard?new", icon: Plus, keywords: "new add", of: "admin" },
  {
    name: "Create workspace",
    href: "/dashboard/workspaces/new",
    icon: UsersRound,
    keywords: "new add company",
    of: "account",
  },
  {
    name: "Account and security",
    href: "/dashboard/account",
    icon: UserRound,
    keywords: "password change two-factor 2fa mfa passkey sessions email name profile delete",
    of: "account",
  },
  {
    name: "Docs",
    href: "/docs",
    icon: ScrollText,
    keywords: "documentation guides help support",
    keys: "g d",
  },
  { name: "API reference", href: "/docs/api", icon: ScrollText, keywords: "docs endpoints openapi" },
];

const termsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** An ending that makes a word a longer form of another: letters, and not the digits of `test123`. */
const ENDING = /^\p{L}+$/u;

/** Maximum mistakes in a typed word: none in a short word or in one with a digit, which may be the id of an end user. */
const mistakesOf = (word: string) => (word.length < 7 || /\d/.test(word) ? 0 : word.length < 8 ? 1 : 2);

/** Whether a text begins with a typed word, except for mistakes: a missing, added or changed character, or two swapped. */
function isMistyped(typed: string, text: string): boolean {
  if (text.length < typed.length - mistakesOf(typed)) return false;
  let before: number[] = [];
  let row = Array.from({ length: text.length + 1 }, (_, at) => at);
  for (const [i, own] of [...typed].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...text].entries()) {
      const at = (numbers: number[], index: number) => numbers[index] ?? typed.length;
      const swapped = own === text[j - 1] && typed[i - 1] === other ? at(before, j - 1) + 1 : typed.length;
      next.push(Math.min(at(row, j + 1) + 1, at(next, j) + 1, at(row, j) + Number(own !== other), swapped));
    }
    [before, row] = [row, next];
  }
  return Math.min(...row) <= mistakesOf(typed);
}

/** The fit of a mistyped word, and the maximum of a text with one: below every other fit. */
const MISTYPED = 0.1;

/** The fit of a typed word, best first: it is one of the terms, begins one, is a longer form of one, within one, or mistyped. */
function fitOfTerm(typed: string, terms: readonly string[]): number {
  const fit = (term: string) => {
    if (term === typed || term === `${typed}s`) return 1;
    if (term.startsWith(typed)) return 0.8;
    if (term.length > 3 && typed.startsWith(term) && ENDING.test(typed.slice(term.length))) return 0.6;
    if (typed.length > 2 && term.includes(typed)) return 0.4;
    return mistakesOf(typed) > 0 && typed[0] === term[0] && isMistyped(typed, term) ? MISTYPED : 0;
  };
  return Math.max(0, ...terms.map(fit));
}

/** Words without meaning for a search. */
const FILLERS = new Set("a an the my to of how where is do i can for in".split(" "));

/**
 * The fit of a destination to a typed text, from 0 for none to 1. Every typed word must fit the name or, at half the
 * value, one of the keywords. A text with a mistyped word fits worse than any text without.
 */
export function fitOf(name: string, text: string, keywords = ""): number {
  const all = termsOf(text);
  const typed = all.length > 1 ? all.filter((term) => !FILLERS.has(term)) : all;
  const [names, others] = [termsOf(name), termsOf(keywords)];
  const fits = typed.map((term) => Math.max(fitOfTerm(term, names), fitOfTerm(term, others) / 2));
  if (fits.length === 0 || fits.includes(0)) return 0;
  const begins = names.join(" ").startsWith(typed.join(" "));
  const mistyped = fits.some((fit) => fit <= MISTYPED);
  return (
    (fits.reduce((sum, fit) => sum + fit, 0) / fits.length) * (begins ? 1 : 0.9) * (mistyped ? MISTYPED : 1)
  );
}

/**
 * Whether a destination, or a group by its best, comes before the documents. A typed name always does; a keyword or a part
 * of a name does unless a document names every word; a mistyped word does unless a document has every word as it is
 * typed.
 */
export const precedesDocs = (fit: number, [first]: readonly DocsHit[]): boolean =>
  fit > 0.5 || !first || first.fit === "mistyped" || (first.fit === "text" && fit > MISTYPED);

/** The pages that a sequence of keys opens. */
export function keyedDestinations(places: Places, appId?: string, workspaceId?: string): Destination[] {
  const workspace = workspaceId ?? places.apps.find(({ id }) => id === appId)?.workspaceId;
  return [
    ...(appId ? appDestinations(appId).pages : []),
    ...workspaceDestinations(places, workspace),
    ...generalDestinations(places),
  ].filter(({ keys }) => keys !== undefined);
}
