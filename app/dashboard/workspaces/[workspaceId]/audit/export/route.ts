import { auditFilters } from "@/lib/contract/audit";
import { AUDIT_COLUMNS, exportAudit } from "@/lib/tenants/audit/export";
import { csvResponse } from "@/lib/web/http/csv";
import { workspaceDownload } from "@/lib/web/session/download";

/** The audit log as a file, with the filters of the page. */
export const GET = workspaceDownload("admin", async (ctx, query) => {
  const { cursor: _, ...filters } = auditFilters.parse(Object.fromEntries(query));
  return csvResponse(`audit-log-${ctx.workspace.name}.csv`, AUDIT_COLUMNS, await exportAudit(ctx, filters));
});
