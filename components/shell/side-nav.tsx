"use client";

import type { LucideIcon } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { APP_PAGES, appPath } from "./navigation";

interface NavLink {
  href: string;
  name: string;
  icon: LucideIcon;
}

interface Props {
  label: string;
  groups: readonly { name: string; links: readonly NavLink[] }[];
}

/** The longest link that the path lies under. */
function currentOf(path: string, links: readonly NavLink[]): string | undefined {
  const matching = links.filter(({ href }) => path === href || path.startsWith(`${href}/`));
  return matching.sort((a, b) => b.href.length - a.href.length)[0]?.href;
}

/** Links beside the content; on a phone, a strip above it that scrolls to the current one. */
export function SideNav({ label, groups }: Props) {
  const path = usePathname();
  const current = currentOf(
    path,
    groups.flatMap(({ links }) => links),
  );
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the strip scrolls when the current link changes
  useEffect(() => {
    strip.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return (
    <nav
      ref={strip}
      aria-label={label}
      className="relative -mx-5 flex gap-4 overflow-x-auto border-b border-line px-5 pb-2 sm:-mx-8 sm:px-8 lg:sticky lg:top-14 lg:mx-0 lg:block lg:max-h-[calc(100dvh-3.5rem)] lg:space-y-5 lg:overflow-y-auto lg:border-0 lg:p-0 lg:py-8 lg:pr-4"
    >
      {groups.map((group) => (
        <div key={group.name} className="flex shrink-0 gap-1 lg:grid lg:gap-0.5">
          <p className="px-2.5 pb-1 text-xs font-medium text-muted max-lg:sr-only">{group.name}</p>
          {group.links.map(({ href, name, icon: Icon }) => (
            <Link
              key={href}
              href={href}
              aria-current={href === current ? "page" : undefined}
              className="flex h-9 items-center gap-2.5 rounded-md px-2.5 text-sm whitespace-nowrap text-muted hover:bg-subtle hover:text-ink aria-[current]:bg-subtle aria-[current]:font-medium aria-[current]:text-ink lg:h-8"
            >
              <Icon className="size-4 shrink-0" aria-hidden />
              {name}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** The pages of one app. */
export function AppNav({ appId }: { appId: string }) {
  const base = appPath(appId);
  const groups = APP_PAGES.map(({ name, pages }) => ({
    name,
    links: pages.map((page) => ({ ...page, href: base + page.path })),
  }));
  return <SideNav label="App" groups={groups} />;
}
