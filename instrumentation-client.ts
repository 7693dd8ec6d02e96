import { announcePage } from "@/components/ui/loading-bar";

/**
 * The only start of the loading bar. The framework calls it for every page that it loads, through a link, code, or the
 * browser's Back and Forward.
 */
export const onRouterTransitionStart = (href: string) => announcePage(new URL(href, window.location.href));
