import { referrerQuery } from "@/lib/contract/referrer-list";
import { exportReferrers, REFERRER_COLUMNS } from "@/lib/program/referrers/export";
import { csvResponse } from "@/lib/web/http/csv";
import { appDownload } from "@/lib/web/session/download";

export const GET = appDownload("member", async (ctx, query) => {
  const rows = await exportReferrers(ctx, referrerQuery.parse(Object.fromEntries(query)));
  return csvResponse(`${ctx.app.name}-referrers.csv`, REFERRER_COLUMNS, rows);
});
