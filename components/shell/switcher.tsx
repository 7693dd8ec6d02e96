"use client";

import { Check, ChevronsUpDown, Plus } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { Fragment, useEffect, useState, useTransition } from "react";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Menu, MenuLine, MenuLink } from "@/components/ui/menu";
import type { Role } from "@/lib/contract/workspace";
import { appOfPath, appPath, workspaceOfPath, workspacePath } from "./navigation";

export interface Places {
  workspaces: { id: string; name: string; role: Role }[];
  apps: { id: string; name: string; sandbox: boolean; workspaceId: string }[];
  /** Set for a visitor of the demo, who has no account. */
  demo?: true | undefined;
}

/** The role of the reader in the workspace of an app. */
export function roleInApp({ workspaces, apps }: Places, appId: string): Role | undefined {
  const app = apps.find(({ id }) => id === appId);
  return workspaces.find(({ id }) => id === app?.workspaceId)?.role;
}

/** The current app or workspace, and a menu of all others. */
export function Switcher({ workspaces, apps, demo }: Places) {
  const path = usePathname();
  const appId = appOfPath(path);
  const workspaceId = workspaceOfPath(path);
  const app = apps.find(({ id }) => id === appId);
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  const current = app?.name ?? workspace?.name;
  const unknown = current === undefined ? (appId ?? workspaceId) : undefined;
  const router = useRouter();
  const [requested, setRequested] = useState<string>();
  const [pending, start] = useTransition();
  // Reads the list again, once, for an app that was created in another tab or by a colleague after this page was loaded.
  useEffect(() => {
    if (!unknown) return;
    setRequested(unknown);
    start(() => router.refresh());
  }, [unknown, router]);
  const awaited = unknown !== undefined && (requested !== unknown || pending);
  return (
    <>
      <Menu
        label="Apps and workspaces"
        trigger={
          <span className="flex h-9 min-w-0 max-w-44 items-center gap-1.5 rounded-md px-2 text-sm font-medium hover:bg-subtle sm:max-w-72">
            <span className="truncate">{current ?? (awaited ? "…" : "All apps")}</span>
            <span className="sr-only">: switch app or workspace</span>
            <ChevronsUpDown className="size-3.5 shrink-0 text-muted" aria-hidden />
          </span>
        }
      >
        <div className="max-h-[70dvh] max-w-72 overflow-y-auto">
          {workspaces.map((workspace) => (
            <Fragment key={workspace.id}>
              <MenuLink>
                <Link href={workspacePath(workspace.id)} className="text-note text-muted">
                  <span className="flex-1 truncate">{workspace.name}</span>
                  {workspace.id === workspaceId && <Check className="size-4" aria-hidden />}
                </Link>
              </MenuLink>
              {apps
                .filter((app) => app.workspaceId === workspace.id)
                .map((app) => (
                  <MenuLink key={app.id}>
                    <Link href={appPath(app.id)}>
                      <span className="flex-1 truncate">{app.name}</span>
                      {app.sandbox && <span className="text-xs text-muted">Sandbox</span>}
                      {app.id === appId && <Check className="size-4" aria-hidden />}
                    </Link>
                  </MenuLink>
                ))}
              <MenuLine />
            </Fragment>
          ))}
          <MenuLink>
            <Link href="/dashboard">All apps</Link>
          </MenuLink>
          {!demo && (
            <MenuLink>
              <Link href="/dashboard/workspaces/new">
                <Plus className="size-4 text-muted" aria-hidden />
                Create workspace
              </Link>
            </MenuLink>
          )}
        </div>
      </Menu>
      {app?.sandbox && <Badge tone="warn">Sandbox</Badge>}
    </>
  );
}
