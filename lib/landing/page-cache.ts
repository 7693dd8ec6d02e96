import { randomUUID } from "node:crypto";
import type { Invitation } from "@/lib/landing/find-invitation";
import { shared } from "@/lib/shared";

/** Languages and phones of one invitation; more are not kept. */
const MOST = 200;

type Pages = Map<string, string[]>;

/** Stands for the click's id in a kept page, and in no name that anybody could have given. */
function mark(): string {
  return shared("landing.mark", () => randomUUID());
}

/**
 * The page of an invitation for one visitor. Kept as long as the invitation itself is, so a link that goes round the
 * world is rendered once in 5 seconds for each `kind` of visitor; only the click's id is the visitor's own.
 */
export function pageFor(
  invitation: Invitation,
  kind: string,
  clickId: string | undefined,
  render: (clickId: string | undefined) => string,
): string {
  const all = shared("landing.pages", () => new WeakMap<Invitation, Pages>());
  const pages = all.get(invitation) ?? new Map<string, string[]>();
  all.set(invitation, pages);
  const key = `${clickId ? "click" : "plain"} ${kind}`;
  const known = pages.get(key) ?? render(clickId && mark()).split(mark());
  if (pages.size < MOST) pages.set(key, known);
  return known.join(clickId);
}
