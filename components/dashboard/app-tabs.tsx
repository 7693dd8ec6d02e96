"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";

/** The rooms of one app. */
export function AppTabs({ appId }: { appId: string }) {
  const path = usePathname();
  const base = `/dashboard/apps/${appId}`;
  const tabs = [
    { href: base, name: "Overview" },
    { href: `${base}/keys`, name: "API keys" },
  ];
  return (
    <nav aria-label="App" className="-mx-1 flex gap-1 border-b border-line">
      {tabs.map(({ href, name }) => (
        <Link
          key={href}
          href={href}
          aria-current={path === href ? "page" : undefined}
          className="-mb-px rounded-t-md border-b-2 border-transparent px-3 py-2.5 text-sm text-muted hover:text-ink aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
