import { randomUUID } from "node:crypto";
import type { Invitation } from "@/lib/landing/find-invitation";
import { Pieces } from "@/lib/landing/pieces";
import { shared } from "@/lib/shared";

/** Pages kept in a process, 45 MB in plain and gzip; who visits every language of every link gets no more. */
const MOST = 2_500;

interface Kept {
  invitation: Invitation;
  page: Pieces;
}

/** Stands for the click's id in a kept page, and in no name that anybody could have given. */
function mark(): string {
  return shared("landing.mark", () => randomUUID());
}

/**
 * The page of an invitation for one `kind` of visitor. Good for as long as the invitation itself is, so a link that goes
 * round the world is rendered once in 5 seconds; only the click's id is the visitor's own.
 */
export function pageFor(
  invitation: Invitation,
  kind: string,
  clicked: boolean,
  render: (clickId: string | undefined) => string,
): Pieces {
  const pages = shared("landing.pages", () => new Map<string, Kept>());
  const key = `${invitation.metacode} ${kind} ${clicked}`;
  const kept = pages.get(key);
  if (kept?.invitation === invitation) return kept.page;
  const page = new Pieces(render(clicked ? mark() : undefined), mark());
  // Deleted first, because a Map keeps a known key's old place, and the oldest place is given up.
  pages.delete(key);
  const [oldest] = pages.keys();
  if (pages.size >= MOST && oldest !== undefined) pages.delete(oldest);
  pages.set(key, { invitation, page });
  return page;
}
