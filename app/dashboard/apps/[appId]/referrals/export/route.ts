import { referralQuery } from "@/lib/contract/referral-list";
import { exportReferrals, REFERRAL_COLUMNS } from "@/lib/program/referrals/export";
import { csvResponse } from "@/lib/web/http/csv";
import { appDownload } from "@/lib/web/session/download";

export const GET = appDownload("member", async (ctx, query) => {
  const rows = await exportReferrals(ctx, referralQuery.parse(Object.fromEntries(query)));
  return csvResponse(`${ctx.app.name}-referrals.csv`, REFERRAL_COLUMNS, rows);
});
