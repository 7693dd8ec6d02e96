import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { LandingView } from "@/lib/contract/landing";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import type { OwnTexts } from "@/lib/contract/landing-texts";
import { singleton } from "@/lib/platform/singleton";
import { referralLink } from "@/lib/tenants/domains/link";
import type { LandingInvitation } from "@/lib/web/landing/find-invitation";
import { platformOf, shareImageHash } from "@/lib/web/landing/links";
import { PageTemplate } from "@/lib/web/landing/page-template";
import { qrCodeOf } from "@/lib/web/landing/qr";
import { landingView } from "@/lib/web/landing/view";

/** Renders the page of an open, paused or ended invitation as HTML. */
export interface InvitationRenderer {
  renderInvitation(view: LandingView): string;
  escapeText(text: string): string;
}

/** Everything by which the pages of one link differ between visitors. */
interface PageVisit {
  userAgent: string;
  language: LandingLanguage;
  clickId: string | undefined;
  own: OwnTexts;
}

/** The values that differ between the links of an app, or between two clicks on a link. */
type Value = "metacode" | "inviter" | "clickId" | "imageHash" | "qrSize" | "qrPath";
type LinkValues = Record<Exclude<Value, "clickId" | "qrSize" | "qrPath">, string> & {
  /** Equal for the links of an app whose pages differ only in these values. */
  look: string;
  qr?: { qrSize: string; qrPath: string };
};

/** Maximum templates in a process, at most 40 MB with their compressed parts. */
const MAX_TEMPLATES = 400;

/** Milliseconds for which a template is used, because its text names the days until the invitation ends. */
const TTL = 60_000;

/** Metacodes from this length on are laid out differently, so their placeholder is longer. */
const LONG_METACODE = 15;

const randomHex = (length: number): string => randomBytes(length).toString("hex").slice(0, length);

/** Placeholders of the values, random so that no text contains them. */
const placeholders = (): Record<Value | "longMetacode", string> =>
  singleton("landing.placeholders", () => ({
    metacode: randomHex(LONG_METACODE - 1),
    longMetacode: randomHex(32),
    inviter: randomHex(24),
    clickId: randomHex(36),
    imageHash: randomHex(20),
    qrSize: randomHex(16),
    qrPath: randomHex(28),
  }));

/**
 * The template of an invitation's page and the values of this link. One rendering serves all links of an app that look
 * alike, even a link that was never opened.
 */
export function cachedPage(renderer: InvitationRenderer, invitation: LandingInvitation, visit: PageVisit) {
  const { userAgent, language, clickId, own } = visit;
  const { look, ...link } = valuesOf(renderer, invitation, platformOf(userAgent) === undefined);
  const key = `${look} ${clickId !== undefined} ${platformOf(userAgent)} ${language} ${JSON.stringify(own)}`;
  const templates = singleton(
    "landing.templates",
    () => new LRUCache<string, PageTemplate<Value>>({ max: MAX_TEMPLATES, ttl: TTL }),
  );
  const template = templates.get(key) ?? renderTemplate(renderer, invitation, visit);
  if (!templates.has(key)) templates.set(key, template);
  const { qr, ...values } = link;
  return { template, values: { qrSize: "", qrPath: "", ...values, ...qr, clickId: clickId ?? "" } };
}

function renderTemplate(
  renderer: InvitationRenderer,
  invitation: LandingInvitation,
  { clickId, ...visit }: PageVisit,
): PageTemplate<Value> {
  const { longMetacode, ...names } = placeholders();
  if (invitation.metacode.length >= LONG_METACODE) names.metacode = longMetacode;
  const view = landingView(
    {
      ...invitation,
      metacode: names.metacode,
      inviter: invitation.inviter === undefined ? undefined : names.inviter,
    },
    {
      ...visit,
      clickId: clickId === undefined ? undefined : names.clickId,
      drawn: { imageHash: names.imageHash, qr: { size: names.qrSize, path: names.qrPath } },
    },
  );
  return new PageTemplate(renderer.renderInvitation(view), names);
}

/** The values of a link, computed once for as long as its invitation is cached. */
const known = () => singleton("landing.values", () => new WeakMap<LandingInvitation, LinkValues>());

function valuesOf(
  { escapeText }: InvitationRenderer,
  invitation: LandingInvitation,
  withQr: boolean,
): LinkValues {
  const { metacode, inviter, referrerId: _, ...shared } = invitation;
  const values = known().get(invitation) ?? {
    metacode,
    inviter: escapeText(inviter ?? ""),
    imageHash: shareImageHash(invitation),
    look: JSON.stringify([shared, inviter !== undefined, metacode.length >= LONG_METACODE]),
  };
  if (withQr && !values.qr) {
    const { size, path } = qrCodeOf(referralLink(shared.domain, metacode));
    values.qr = { qrSize: size, qrPath: path };
  }
  known().set(invitation, values);
  return values;
}
