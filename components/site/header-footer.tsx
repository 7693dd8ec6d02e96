import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Logo } from "@/components/ui/logo";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import { SITE_LINKS, type SiteLink } from "./links";

interface Props {
  /** The link to the dashboard or to the sign-in. */
  entrance?: SiteLink;
  wide?: boolean;
  /** Content between the name and the links, such as a search. */
  children?: ReactNode;
}

/** The header of the public pages. */
export function SiteHeader({ entrance = SITE_LINKS.dashboard, wide = false, children }: Props) {
  return (
    <header className={wide ? "sticky top-0 z-30 border-b border-line bg-page" : ""}>
      <div
        className={`mx-auto flex items-center gap-2 px-5 max-[22rem]:px-2 sm:px-8 ${wide ? "h-14 max-w-7xl" : "h-16 max-w-5xl max-sm:gap-1"}`}
      >
        <Link href="/" className="-ml-1.5 flex items-center gap-2 rounded-md p-1.5 text-lead font-semibold">
          <Logo />
          <span className={children ? "max-sm:sr-only" : ""}>Metacode</span>
        </Link>
        {wide && (
          <Link
            href={SITE_LINKS.docs.href}
            className="rounded-md p-1.5 text-sm text-muted hover:text-ink max-sm:hidden"
          >
            {SITE_LINKS.docs.name}
          </Link>
        )}
        <span className="flex-1" />
        {children}
        <ThemeToggle />
        {!wide && (
          <Link href={SITE_LINKS.docs.href} className={`${buttonClass({ variant: "ghost" })} max-sm:px-1.5`}>
            {SITE_LINKS.docs.name}
          </Link>
        )}
        <Link
          href={entrance.href}
          className={`${buttonClass({ variant: "secondary" })} ${wide ? "max-sm:hidden" : ""}`}
        >
          {entrance.name}
        </Link>
      </div>
    </header>
  );
}

interface FooterProps {
  links: readonly { href: string; name: string }[];
}

/** The footer of the home page. */
export function SiteFooter({ links }: FooterProps) {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-6 gap-y-1 px-5 py-6 text-sm text-muted sm:px-8">
        <span className="mr-auto max-sm:w-full">Metacode, Apache License 2.0</span>
        {links.map(({ href, name }) => (
          <Link key={href} href={href} className="py-2 hover:text-ink">
            {name}
          </Link>
        ))}
      </div>
    </footer>
  );
}
