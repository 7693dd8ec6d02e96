import { LayoutGrid, Plus } from "lucide-react";
import type { Metadata } from "next";
import { AppCard } from "@/components/dashboard/app-card";
import { CreateApp } from "@/components/dashboard/create-app";
import { DeletedApps } from "@/components/dashboard/deleted-apps";
import { buttonClass } from "@/components/ui/button";
import { EmptyState, TeamStep } from "@/components/ui/empty-state";
import { Link, NextStep } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { mayAct } from "@/lib/contract/workspace";
import { listOwnApps } from "@/lib/web/session/queries";
import { createAppAction, restoreAppAction } from "./actions";

export const metadata: Metadata = { title: "Apps" };

const NEW_WORKSPACE = "/dashboard/workspaces/new";

export default async function DashboardPage() {
  const { user, groups } = await listOwnApps();
  const managed = user.workspaces.filter(({ role }) => mayAct(role, "admin"));
  const [team, another] = user.workspaces;
  // A reader who cannot create apps and has several teams sees each team below instead.
  const empty =
    (managed.length > 0 || !another) &&
    groups.every(({ apps, deleted }) => apps.length + deleted.length === 0);
  const create = managed.length > 0 && (
    <CreateApp action={createAppAction} workspaces={managed} first={empty} />
  );
  return (
    <div className="grid grid-cols-1 gap-8 pt-8 pb-24">
      <PageHeader title="Apps" action={!empty && create}>
        Each app has its own API keys, codes, campaigns and referrers.
      </PageHeader>
      {empty && (
        <EmptyState
          icon={LayoutGrid}
          title="No apps yet"
          action={
            create ||
            (team ? <TeamStep of={team} /> : <NextStep href={NEW_WORKSPACE}>Create workspace</NextStep>)
          }
        >
          {emptyText(create !== false, team)}
        </EmptyState>
      )}
      {!empty &&
        groups.map(({ workspace, apps, deleted }) => (
          <section key={workspace.id} aria-label={workspace.name} className="grid grid-cols-1 gap-3">
            <h2 className="flex items-baseline gap-2 text-sm font-medium wrap-anywhere">
              <Link href={`/dashboard/workspaces/${workspace.id}`} className="rounded-sm hover:underline">
                {workspace.name}
              </Link>
              <span className="text-note font-normal whitespace-nowrap text-muted">
                <span className="capitalize">{workspace.plan}</span> plan
              </span>
            </h2>
            {apps.length > 0 && (
              <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
                {apps.map((summary) => (
                  <AppCard key={summary.app.id} {...summary} />
                ))}
              </ul>
            )}
            {apps.length === 0 && (
              <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
                No apps in this workspace yet.
                {mayAct(workspace.role, "admin") ? (
                  <CreateApp
                    action={createAppAction}
                    workspaces={[workspace]}
                    first={false}
                    within={workspace.name}
                  />
                ) : (
                  <>
                    {" An owner or admin of its team can create one."}
                    <TeamStep of={workspace} />
                  </>
                )}
              </div>
            )}
            <DeletedApps action={restoreAppAction} apps={deleted} />
          </section>
        ))}
      {!user.demo && (
        <p>
          <Link href={NEW_WORKSPACE} className={buttonClass({ variant: "secondary", size: "sm" })}>
            <Plus className="size-4" aria-hidden />
            Create workspace
          </Link>
        </p>
      )}
    </div>
  );
}

function emptyText(create: boolean, team: { name: string } | undefined): string {
  if (create) return "Create your first app to get an API key and run a referral campaign.";
  return team
    ? `An owner or admin of ${team.name} can create one. You can also create a workspace of your own.`
    : "Create a workspace for your first app.";
}
