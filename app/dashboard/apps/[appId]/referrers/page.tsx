import { UserRound } from "lucide-react";
import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { ReferrerFilters } from "@/components/referrer/referrer-filters";
import { ReferrerTable } from "@/components/referrer/referrer-table";
import { CsvLink } from "@/components/ui/csv-link";
import { NoRows } from "@/components/ui/no-rows";
import { Pager } from "@/components/ui/pager";
import { listCampaigns } from "@/lib/campaigns/list";
import { referrerFilters } from "@/lib/contract/referrer-list";
import { mayAct } from "@/lib/contract/roles";
import { listReferrers } from "@/lib/referrers/list";
import { personContext } from "@/lib/session/context";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Referrers · ${(await personContext((await params).appId)).app.name}` };
}

export default async function ReferrersPage({ params, searchParams }: Props) {
  const { ctx, app, role } = await personContext((await params).appId);
  const filters = referrerFilters.parse(await searchParams);
  const [page, campaigns] = await Promise.all([listReferrers(ctx, filters), listCampaigns(ctx)]);
  const influencer = campaigns.filter(({ type }) => type === "influencer");
  const base = `/dashboard/apps/${app.id}`;
  const path = `${base}/referrers`;
  const given = page.data.length > 0;
  return (
    <>
      <PageHeader
        title="Referrers"
        action={given && mayAct(role, "member") && <CsvLink path={path} query={filters} />}
      >
        The users who may invite, each with a metacode of their own.
      </PageHeader>
      <ReferrerFilters
        path={path}
        filters={filters}
        campaigns={influencer.map(({ id, name }) => ({ value: id, name }))}
      />
      {given ? (
        <ReferrerTable base={base} rows={page.data} />
      ) : (
        <NoRows
          icon={UserRound}
          thing="referrer"
          path={path}
          filtered={Object.values(filters).some(Boolean)}
          more={page.nextCursor !== null}
          hint="A uid, metacode or name is found by its beginning."
          begin={{ href: `${base}/start`, name: "Getting started" }}
        >
          A user becomes one when your app first asks for their metacode.
        </NoRows>
      )}
      <Pager path={path} query={filters} nextCursor={page.nextCursor} shown={page.data.length} />
    </>
  );
}
