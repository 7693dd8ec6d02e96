"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";

interface Props {
  label: string;
  tabs: readonly { href: string; name: string }[];
}

/** Links between pages that belong together. */
export function Tabs({ label, tabs }: Props) {
  const path = usePathname();
  return (
    <nav aria-label={label} className="relative flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ href, name }) => (
        <Link
          key={href}
          href={href}
          aria-current={path === href ? "page" : undefined}
          className="-mb-px rounded-t-md border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-muted hover:text-ink aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
