import { announcePage } from "@/components/ui/loading-bar";

/**
 * The one start of the loading bar: the framework calls it for every page that it loads, by a link, by code, and by the
 * browser's Back and Forward.
 */
export const onRouterTransitionStart = (href: string) => announcePage(new URL(href, window.location.href));
