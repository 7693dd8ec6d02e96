import { randomUUID } from "node:crypto";
import type { Invitation } from "@/lib/landing/find-invitation";
import { Pieces } from "@/lib/landing/pieces";
import { shared } from "@/lib/shared";

/** Languages and phones of one invitation; more are not kept. */
const MOST = 200;

/** Stands for the click's id in a kept page, and in no name that anybody could have given. */
function mark(): string {
  return shared("landing.mark", () => randomUUID());
}

/**
 * The page of an invitation for one `kind` of visitor. Kept as long as the invitation itself is, so a link that goes
 * round the world is rendered once in 5 seconds; only the click's id is the visitor's own.
 */
export function pageFor(
  invitation: Invitation,
  kind: string,
  clicked: boolean,
  render: (clickId: string | undefined) => string,
): Pieces {
  const all = shared("landing.pages", () => new WeakMap<Invitation, Map<string, Pieces>>());
  const pages = all.get(invitation) ?? new Map<string, Pieces>();
  all.set(invitation, pages);
  const key = `${kind} ${clicked}`;
  const page = pages.get(key) ?? new Pieces(render(clicked ? mark() : undefined), mark());
  if (pages.size < MOST) pages.set(key, page);
  return page;
}
