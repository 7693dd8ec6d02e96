import NextLink from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { buttonClass } from "./button";

/**
 * A link within the site, without prefetching: a page of the dashboard shows two dozen links, whose requests would delay
 * the reader's next one and use up the address's limit of page requests.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}

/** The link of a click that replaces this page with another page of this site. */
export function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const link = (event.target as Element | null)?.closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute("download")) return undefined;
  if ((link.target !== "" && link.target !== "_self") || link.origin !== window.location.origin)
    return undefined;
  const { pathname, search } = window.location;
  return link.pathname === pathname && link.search === search ? undefined : link;
}

/** The next step from an empty list, as a button. */
export function NextStep({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={buttonClass({ variant: "secondary" })}>
      {children}
    </Link>
  );
}
