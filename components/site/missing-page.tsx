import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { SiteLink } from "./links";

interface Props {
  title: string;
  /** Links to other pages, the best one first. */
  links: readonly SiteLink[];
  /** The button that searches for the right page. */
  search?: ReactNode;
  /** `div` inside a page that already has a main element. */
  as?: "main" | "div";
  children: ReactNode;
}

/** A page that does not exist, with links to pages that do. */
export function MissingPage({ title, links, search, as: Tag = "main", children }: Props) {
  return (
    <Tag className="grid min-h-[60dvh] place-items-center px-5 py-12 text-center">
      <div className="grid w-full max-w-md justify-items-center gap-5">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        <div className="grid w-full gap-5 text-sm text-balance text-muted">{children}</div>
        <div className="flex flex-wrap justify-center gap-2">
          {links.map(({ href, name }, place) => (
            <Link
              key={href}
              href={href}
              className={buttonClass({ variant: search && place === 0 ? "primary" : "secondary" })}
            >
              {name}
            </Link>
          ))}
          {search}
        </div>
      </div>
    </Tag>
  );
}
