import { UsersRound } from "lucide-react";
import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { ReferralFilters } from "@/components/referral/referral-filters";
import { ReferralTable } from "@/components/referral/referral-table";
import { CsvLink } from "@/components/ui/csv-link";
import { NoRows } from "@/components/ui/no-rows";
import { Pager } from "@/components/ui/pager";
import { listCampaigns } from "@/lib/campaigns/list";
import { referralFilters } from "@/lib/contract/referral-list";
import { mayAct } from "@/lib/contract/roles";
import { listReferrals } from "@/lib/referrals/list";
import { personContext } from "@/lib/session/context";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Referrals · ${(await personContext((await params).appId)).app.name}` };
}

export default async function ReferralsPage({ params, searchParams }: Props) {
  const { ctx, app, role } = await personContext((await params).appId);
  const filters = referralFilters.parse(await searchParams);
  const [page, campaigns] = await Promise.all([listReferrals(ctx, filters), listCampaigns(ctx)]);
  const base = `/dashboard/apps/${app.id}`;
  const path = `${base}/referrals`;
  const given = page.data.length > 0;
  return (
    <>
      <PageHeader
        title="Referrals"
        action={given && mayAct(role, "member") && <CsvLink path={path} query={filters} />}
      >
        Who was invited by whom, and what became of it.
      </PageHeader>
      <ReferralFilters
        path={path}
        filters={filters}
        campaigns={campaigns.map(({ id, name }) => ({ value: id, name }))}
      />
      {given ? (
        <ReferralTable base={base} label="Referrals" rows={page.data} />
      ) : (
        <NoRows
          icon={UsersRound}
          thing="referral"
          path={path}
          filtered={Object.values(filters).some(Boolean)}
          more={page.nextCursor !== null}
          hint="Check the uid letter by letter, or loosen a filter."
          begin={{ href: `${base}/start`, name: "Getting started" }}
        >
          One appears here as soon as somebody enters a metacode in your app.
        </NoRows>
      )}
      <Pager path={path} query={filters} nextCursor={page.nextCursor} shown={page.data.length} />
    </>
  );
}
