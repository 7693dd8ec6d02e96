import { referrerFilters } from "@/lib/contract/referrer-list";
import { csvResponse } from "@/lib/http/csv";
import { exportReferrers, REFERRER_COLUMNS } from "@/lib/referrers/export";
import { appDownload } from "@/lib/session/download";

export const GET = appDownload("member", async (ctx, query) => {
  const rows = await exportReferrers(ctx, referrerFilters.parse(Object.fromEntries(query)));
  return csvResponse(`${ctx.app.name}-referrers.csv`, REFERRER_COLUMNS, rows);
});
