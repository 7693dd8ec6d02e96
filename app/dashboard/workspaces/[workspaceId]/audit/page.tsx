import { ScrollText } from "lucide-react";
import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { CsvLink } from "@/components/ui/csv-link";
import { EmptyState } from "@/components/ui/empty-state";
import { Pager } from "@/components/ui/pager";
import { AuditFilterBar } from "@/components/workspace/audit-filter-bar";
import { AuditList } from "@/components/workspace/audit-list";
import { workspacePath } from "@/components/workspace/paths";
import { listAudit } from "@/lib/audit/list";
import { auditFilters } from "@/lib/contract/audit";
import { listAppsOf } from "@/lib/session/apps";
import { workspaceContext } from "@/lib/session/context";

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
  const { cursor, ...wanted } = filters;
  const [{ data, nextCursor }, { groups }] = await Promise.all([listAudit(ctx, filters), listAppsOf()]);
  const apps = groups.find(({ workspace }) => workspace.id === ctx.workspace.id)?.apps ?? [];
  const path = `${workspacePath(ctx.workspace.id)}/audit`;
  const filtered = Object.values(wanted).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Audit log" action={<CsvLink path={path} query={wanted} />}>
        Who changed what, and from where. Nothing in it can be changed.
      </PageHeader>
      <AuditFilterBar filters={filters} apps={apps.map(({ app: { id, name } }) => ({ value: id, name }))} />
      {data.length > 0 ? (
        <AuditList lines={data} />
      ) : (
        <EmptyState icon={ScrollText} title={filtered ? "Nothing found" : "Nothing yet"}>
          {filtered
            ? "No entry here matches. Take a filter away, or look at other days."
            : "Every change that somebody makes in the dashboard will stand here."}
        </EmptyState>
      )}
      <Pager path={path} query={{ ...wanted, cursor }} nextCursor={nextCursor} shown={data.length} />
    </>
  );
}
