import { ScrollText } from "lucide-react";
import type { Metadata } from "next";
import { workspacePath } from "@/components/shell/navigation";
import { CsvLink } from "@/components/ui/csv-link";
import { EmptyState, TeamStep } from "@/components/ui/empty-state";
import { NextStep } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/pager";
import { AuditFilterBar } from "@/components/workspace/audit-filter-bar";
import { AuditList } from "@/components/workspace/audit-list";
import { auditFilters } from "@/lib/contract/audit";
import { listAudit } from "@/lib/tenants/audit/list";
import { workspaceContext } from "@/lib/web/session/context";
import { listOwnApps } from "@/lib/web/session/queries";

interface Props {
  params: Promise<{ workspaceId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return {
    title: `Audit log · ${(await workspaceContext((await params).workspaceId, "admin")).workspace.name}`,
  };
}

export default async function AuditPage({ params, searchParams }: Props) {
  const ctx = await workspaceContext((await params).workspaceId, "admin");
  const filters = auditFilters.parse(await searchParams);
  const { cursor, ...chosen } = filters;
  const [{ data, nextCursor }, { groups }] = await Promise.all([listAudit(ctx, filters), listOwnApps()]);
  const apps = groups.find(({ workspace }) => workspace.id === ctx.workspace.id)?.apps ?? [];
  const path = `${workspacePath(ctx.workspace.id)}/audit`;
  const filtered = Object.values(chosen).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Audit log" action={<CsvLink path={path} query={chosen} />}>
        All changes, with who made them and from where. Entries cannot be changed.
      </PageHeader>
      <AuditFilterBar filters={filters} apps={apps.map(({ app: { id, name } }) => ({ value: id, name }))} />
      {data.length > 0 ? (
        <AuditList lines={data} />
      ) : (
        <EmptyState
          icon={ScrollText}
          title={filtered ? "No matching entries" : "No entries yet"}
          action={
            filtered ? <NextStep href={path}>Show all entries</NextStep> : <TeamStep of={ctx.workspace} />
          }
        >
          {filtered && nextCursor && "None of the rows searched so far matches."}
          {filtered && !nextCursor && "No entry matches. Remove a filter, or choose other days."}
          {!filtered && "All changes that members make in the dashboard appear here."}
        </EmptyState>
      )}
      <Pager path={path} query={{ ...chosen, cursor }} nextCursor={nextCursor} shown={data.length} />
    </>
  );
}
