import { Link } from "@/components/ui/link";
import type { DocsGroup, DocsLink, Heading } from "@/lib/contract/docs";

const ITEM =
  "flex min-h-8 items-center rounded-md px-2.5 py-1 text-sm text-muted hover:bg-subtle hover:text-ink aria-[current]:bg-subtle aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:min-h-10";

interface NavProps {
  groups: readonly DocsGroup[];
  current: string;
  label: string;
}

/** All pages, by group. */
export function DocsNav({ groups, current, label }: NavProps) {
  return (
    <nav aria-label={label} className="grid gap-5">
      {groups.map(({ name, pages }) => (
        <div key={name} className="grid gap-0.5">
          <p className="px-2.5 pb-1 text-xs font-medium text-muted">{name}</p>
          {pages.map((page) => (
            <Item key={page.href} page={page} current={current} />
          ))}
        </div>
      ))}
    </nav>
  );
}

function Item({ page: { href, name }, current }: { page: DocsLink; current: string }) {
  return (
    <Link href={href} className={ITEM} aria-current={href === current ? "page" : undefined}>
      {name}
    </Link>
  );
}

interface ContentsProps {
  headings: readonly Heading[];
  label: string;
  /** Shows the label above the list. */
  titled?: boolean;
}

/** The sections of a page. */
export function Contents({ headings, label, titled = false }: ContentsProps) {
  return (
    <nav aria-label={label} className="grid gap-0.5">
      {titled && <p className="px-2.5 pb-1 text-xs font-medium text-muted">{label}</p>}
      {headings.map(({ id, text, depth }) => (
        <a key={id} href={`#${id}`} className={`${ITEM} ${depth > 2 ? "pl-6" : ""}`}>
          {text}
        </a>
      ))}
    </nav>
  );
}
