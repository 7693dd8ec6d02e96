import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { singleton } from "@/lib/platform/singleton";
import type { LandingInvitation } from "@/lib/web/landing/find-invitation";
import { PageTemplate } from "@/lib/web/landing/page-template";

/** Pages in a process, 45 MB of plain text and gzip: 36 languages of every link would be more than it has. */
const MAX_PAGES = 2_500;

interface CachedPage {
  invitation: LandingInvitation;
  template: PageTemplate;
}

/** Placeholder of the click's id in a cached page; random, so that no name contains it. */
function placeholder(): string {
  return singleton("landing.placeholder", () => randomUUID());
}

/**
 * The page of an invitation for one variant of visitor, valid for as long as the invitation itself, so a popular link
 * is rendered once in 5 seconds. Only the click's id differs between visitors.
 */
export function cachedPage(
  invitation: LandingInvitation,
  variant: string,
  clicked: boolean,
  render: (clickId: string | undefined) => string,
): PageTemplate {
  const pages = singleton("landing.pages", () => new LRUCache<string, CachedPage>({ max: MAX_PAGES }));
  const key = `${invitation.metacode} ${variant} ${clicked}`;
  const cached = pages.get(key);
  if (cached?.invitation === invitation) return cached.template;
  const template = new PageTemplate(render(clicked ? placeholder() : undefined), placeholder());
  pages.set(key, { invitation, template });
  return template;
}
