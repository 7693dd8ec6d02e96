import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link within the site. Its page is not requested before the click: a page of the dashboard shows two dozen links, whose
 * requests would delay the reader's next one and use up the pages that an address may request.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
