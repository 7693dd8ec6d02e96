import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "./link";

interface Props {
  title: ReactNode;
  /** The pages above this one, outermost first. */
  trail?: readonly { href: string; name: string }[];
  action?: ReactNode;
  children?: ReactNode;
}

/** The title of a page below the trail that leads to it, one line about it, and its main action. */
export function PageHeader({ title, trail, action, children }: Props) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 lg:flex-nowrap">
      <div className="grid min-w-0 grid-cols-1 gap-1 wrap-anywhere">
        {trail && (
          <nav aria-label="Pages above" className="flex flex-wrap items-center gap-1 text-note text-muted">
            {trail.map(({ href, name }) => (
              <span key={href} className="flex items-center gap-1">
                <Link href={href} className="rounded-sm hover:text-ink hover:underline">
                  {name}
                </Link>
                <ChevronRight className="size-3.5" aria-hidden />
              </span>
            ))}
          </nav>
        )}
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        {children && <p className="max-w-3xl text-sm text-pretty text-muted">{children}</p>}
      </div>
      {action && <div className="flex flex-wrap gap-2 lg:shrink-0">{action}</div>}
    </header>
  );
}
