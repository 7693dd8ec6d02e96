import { referralFilters } from "@/lib/contract/referral-list";
import { csvResponse } from "@/lib/http/csv";
import { exportReferrals, REFERRAL_COLUMNS } from "@/lib/referrals/export";
import { appDownload } from "@/lib/session/download";

export const GET = appDownload("member", async (ctx, query) => {
  const rows = await exportReferrals(ctx, referralFilters.parse(Object.fromEntries(query)));
  return csvResponse(`${ctx.app.name}-referrals.csv`, REFERRAL_COLUMNS, rows);
});
