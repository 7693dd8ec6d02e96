import { UserRound } from "lucide-react";
import type { Metadata } from "next";
import { omissionOf, ReferrerFilters, ReferrerTable } from "@/components/referrer/referrer-list";
import { ReferrerBulkBar } from "@/components/referrer/status-actions";
import { CsvLink } from "@/components/ui/csv-link";
import { NoRows } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { listHref, Pager } from "@/components/ui/pager";
import { referrerQuery } from "@/lib/contract/referrer-list";
import { mayAct } from "@/lib/contract/workspace";
import { listCampaigns } from "@/lib/program/campaigns/read";
import { listReferrers } from "@/lib/program/referrers/list";
import { appContext } from "@/lib/web/session/context";
import { updateManyStatusAction } from "./[referrerId]/actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Referrers · ${(await appContext((await params).appId)).app.name}` };
}

export default async function ReferrersPage({ params, searchParams }: Props) {
  const { ctx, app, role } = await appContext((await params).appId);
  const filters = referrerQuery.parse(await searchParams);
  const [page, campaigns] = await Promise.all([listReferrers(ctx, filters), listCampaigns(ctx)]);
  const influencer = campaigns.filter(({ type }) => type === "influencer");
  const base = `/dashboard/apps/${app.id}`;
  const path = `${base}/referrers`;
  const filled = page.data.length > 0;
  // The searched part of the list may have no match although later parts do.
  const exportable = filled || page.nextCursor !== null;
  const omission = omissionOf(filters);
  const mayUpdate = mayAct(role, "member");
  return (
    <>
      <PageHeader
        title="Referrers"
        action={exportable && mayUpdate && <CsvLink path={path} query={filters} />}
      >
        Users who can invite, each with their own metacode.
      </PageHeader>
      <ReferrerFilters
        path={path}
        filters={filters}
        campaigns={influencer.map(({ id, name }) => ({ value: id, name }))}
      />
      {filled ? (
        <>
          {omission && <p className="text-note text-muted">{omission}</p>}
          {mayUpdate && (
            <ReferrerBulkBar key={listHref(path, filters)} appId={app.id} update={updateManyStatusAction} />
          )}
          <ReferrerTable
            base={base}
            rows={page.data}
            selectable={mayUpdate}
            sorting={
              filters.q
                ? undefined
                : {
                    by: filters.sort,
                    href: (sort) => listHref(path, { ...filters, sort, cursor: undefined }),
                  }
            }
          />
        </>
      ) : (
        <NoRows
          icon={UserRound}
          thing="referrer"
          path={path}
          filtered={Object.values(filters).some(Boolean)}
          more={page.nextCursor !== null}
          hint={omission ?? "Search for the beginning of a user ID, metacode or name."}
          begin={{ href: `${base}/start`, name: "Get started" }}
        >
          A user becomes a referrer when your app first requests their metacode.
        </NoRows>
      )}
      <Pager
        path={path}
        query={filters}
        nextCursor={page.nextCursor}
        shown={page.data.length}
        order={filters.sort || filters.q ? "other" : "time"}
      />
    </>
  );
}
