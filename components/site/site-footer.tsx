import Link from "next/link";

interface Props {
  links: readonly { href: string; name: string }[];
}

/** The end of the front page. */
export function SiteFooter({ links }: Props) {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-6 gap-y-1 px-5 py-6 text-sm text-muted sm:px-8">
        <span className="mr-auto">Metacode, Apache License 2.0</span>
        {links.map(({ href, name }) => (
          <Link key={href} href={href} prefetch={false} className="py-2 hover:text-ink">
            {name}
          </Link>
        ))}
      </div>
    </footer>
  );
}
