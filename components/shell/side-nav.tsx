"use client";

import { ChevronDown, type LucideIcon, Menu as MenuIcon } from "lucide-react";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { Link } from "@/components/ui/link";
import { usePendingPath } from "@/components/ui/loading-bar";
import { APP_PAGES, appPath, WORKSPACE_PAGES, workspacePath } from "./navigation";

interface NavLink {
  href: string;
  name: string;
  icon: LucideIcon;
  /** Whether the link is current on its own path only, and not on the pages below. */
  exact?: boolean;
}

interface Props {
  label: string;
  groups: readonly { name: string; links: readonly NavLink[] }[];
}

/** The longest link at or above the path. */
function currentOf(path: string, links: readonly NavLink[]): string | undefined {
  const matching = links.filter(
    ({ href, exact }) => path === href || (!exact && path.startsWith(`${href}/`)),
  );
  return matching.sort((a, b) => b.href.length - a.href.length)[0]?.href;
}

/**
 * Links beside the content; on a phone, a bar that names the current page and opens them as a menu. The links are rendered
 * once for both, because they are a large part of a page's rendering.
 */
function SideNav({ label, groups }: Props) {
  const path = usePathname();
  const loading = usePendingPath();
  const links = groups.flatMap((group) => group.links);
  // The link that was pressed is current at once.
  const current = (loading && currentOf(loading, links)) ?? currentOf(path, links);
  const menu = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page opens
  useEffect(() => {
    if (menu.current?.matches(":popover-open")) menu.current.hidePopover();
  }, [path, current]);
  const name = links.find(({ href }) => href === current)?.name ?? "Menu";
  return (
    <>
      <div className="sticky top-14 z-10 -mx-5 -mt-3 border-b border-line bg-page/85 px-5 backdrop-blur-md sm:-mx-8 sm:px-8 lg:hidden">
        <button
          type="button"
          popoverTarget="pages"
          className="-mx-2.5 flex h-11 w-[calc(100%+1.25rem)] items-center gap-2.5 rounded-md px-2.5 text-sm font-medium"
        >
          <MenuIcon className="size-4 shrink-0 text-muted" aria-hidden />
          <span className="flex-1 truncate text-left">
            {name}
            <span className="sr-only">: open the menu of pages</span>
          </span>
          <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
        </button>
      </div>
      <nav
        ref={menu}
        id="pages"
        popover="auto"
        aria-label={label}
        className="text-ink max-lg:fixed max-lg:inset-x-0 max-lg:top-14 max-lg:bottom-auto max-lg:m-0 max-lg:max-h-[calc(100dvh-3.5rem)] max-lg:w-full max-lg:max-w-none max-lg:grid-cols-2 max-lg:content-start max-lg:items-start max-lg:gap-x-2 max-lg:gap-y-5 max-lg:overflow-y-auto max-lg:border-b max-lg:border-line max-lg:bg-raised max-lg:px-2.5 max-lg:py-4 max-lg:shadow-xl max-lg:open:grid sm:max-lg:px-5 lg:sticky lg:inset-auto lg:top-14 lg:m-0 lg:block lg:h-auto lg:max-h-[calc(100dvh-3.5rem)] lg:w-auto lg:space-y-5 lg:overflow-y-auto lg:border-0 lg:bg-transparent lg:py-8 lg:pr-4 lg:pl-0"
      >
        {groups.map((group) => (
          <div key={group.name} className="grid gap-0.5">
            <p className="px-2.5 pb-1 text-xs font-medium wrap-anywhere text-muted">{group.name}</p>
            {group.links.map(({ href, name, icon: Icon }) => (
              <Link
                key={href}
                href={href}
                aria-current={href === current ? "page" : undefined}
                className="flex h-11 items-center gap-2.5 rounded-md px-2.5 text-sm text-muted hover:bg-subtle hover:text-ink aria-[current]:bg-subtle aria-[current]:font-medium aria-[current]:text-ink lg:h-8"
              >
                <Icon className="size-4 shrink-0" aria-hidden />
                <span className="truncate">{name}</span>
              </Link>
            ))}
          </div>
        ))}
      </nav>
    </>
  );
}

/** The workspace of the navigation, and whether the user is an admin there. */
interface WorkspaceProps {
  workspace: { id: string; name: string };
  admin: boolean;
}

function workspaceGroup({ workspace, admin }: WorkspaceProps) {
  const pages = WORKSPACE_PAGES.filter(({ adminOnly }) => admin || !adminOnly);
  const links = pages.map((page) => ({ ...page, href: workspacePath(workspace.id) + page.path }));
  return { name: workspace.name, links };
}

/** The pages of a workspace. */
export function WorkspaceNav(props: WorkspaceProps) {
  return <SideNav label="Workspace" groups={[workspaceGroup(props)]} />;
}

/** The pages of one app, and those of its workspace. */
export function AppNav({ appId, ...props }: WorkspaceProps & { appId: string }) {
  const base = appPath(appId);
  const groups = APP_PAGES.map(({ name, pages }) => ({
    name,
    links: pages.map((page) => ({ ...page, href: base + page.path, exact: page.path === "" })),
  }));
  return <SideNav label="App" groups={[...groups, workspaceGroup(props)]} />;
}
