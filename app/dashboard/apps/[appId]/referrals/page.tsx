import { UsersRound } from "lucide-react";
import type { Metadata } from "next";
import { ReferralTabs } from "@/components/referral/labels";
import { ReferralBulkBar } from "@/components/referral/referral-bulk-bar";
import { ReferralFilters } from "@/components/referral/referral-filters";
import { ReferralTable } from "@/components/referral/referral-table";
import { CsvLink } from "@/components/ui/csv-link";
import { NoRows } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { listHref, Pager } from "@/components/ui/pager";
import { referralQuery } from "@/lib/contract/referral-list";
import { mayAct } from "@/lib/contract/workspace";
import { listCampaigns } from "@/lib/program/campaigns/read";
import { listReferrals } from "@/lib/program/referrals/list";
import { appContext } from "@/lib/web/session/context";
import { releaseManyAction, restoreManyAction, reverseManyAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Referrals · ${(await appContext((await params).appId)).app.name}` };
}

export default async function ReferralsPage({ params, searchParams }: Props) {
  const { ctx, app, role } = await appContext((await params).appId);
  const filters = referralQuery.parse(await searchParams);
  const [page, campaigns] = await Promise.all([listReferrals(ctx, filters), listCampaigns(ctx)]);
  const base = `/dashboard/apps/${app.id}`;
  const path = `${base}/referrals`;
  const filled = page.data.length > 0;
  // The searched part of the list may have no match although later parts do.
  const exportable = filled || page.nextCursor !== null;
  // No action applies to a referral that is only a click.
  const selectable = mayAct(role, "support") && filters.status !== "clicked";
  return (
    <>
      <PageHeader
        title="Referrals"
        action={exportable && mayAct(role, "member") && <CsvLink path={path} query={filters} />}
      >
        Who invited whom, and the status of each referral.
      </PageHeader>
      {app.reviewsBeyondCaps && <ReferralTabs path={path} />}
      <ReferralFilters
        path={path}
        filters={filters}
        campaigns={campaigns.map(({ id, name }) => ({ value: id, name }))}
      />
      {filled ? (
        <>
          {selectable && (
            <ReferralBulkBar
              key={listHref(path, filters)}
              appId={app.id}
              reverse={reverseManyAction}
              restore={restoreManyAction}
              release={releaseManyAction}
            />
          )}
          <ReferralTable base={base} label="Referrals" rows={page.data} selectable={selectable} />
        </>
      ) : (
        <NoRows
          icon={UsersRound}
          thing="referral"
          path={path}
          filtered={Object.values(filters).some(Boolean)}
          more={page.nextCursor !== null}
          hint="Check the user ID, or remove a filter."
          begin={{ href: `${base}/start`, name: "Get started" }}
        >
          The first one appears when a friend enters a metacode in your app.
        </NoRows>
      )}
      <Pager
        path={path}
        query={filters}
        nextCursor={page.nextCursor}
        shown={page.data.length}
        order={filters.q ? "other" : "time"}
      />
    </>
  );
}
