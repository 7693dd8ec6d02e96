import { Activity } from "lucide-react";
import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { Live } from "@/components/requests/live";
import { RequestFilters } from "@/components/requests/request-filters";
import { RequestList } from "@/components/requests/request-list";
import { NoRows } from "@/components/ui/no-rows";
import { Pager } from "@/components/ui/pager";
import { listKeys } from "@/lib/api-keys/list";
import { requestFilters } from "@/lib/contract/request-line";
import { listRequests } from "@/lib/requests/list";
import { requestTotals } from "@/lib/requests/totals";
import { personContext } from "@/lib/session/context";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Requests · ${(await personContext((await params).appId)).app.name}` };
}

export default async function RequestsPage({ params, searchParams }: Props) {
  const { ctx, app } = await personContext((await params).appId);
  const filters = requestFilters.parse(await searchParams);
  const [page, totals, keys] = await Promise.all([
    listRequests(ctx, filters),
    requestTotals(ctx),
    listKeys(ctx),
  ]);
  const appPath = `/dashboard/apps/${app.id}`;
  const path = `${appPath}/requests`;
  const { cursor, ...chosen } = filters;
  const filtered = Object.values(chosen).some(Boolean);
  return (
    <>
      <PageHeader title="Requests" action={cursor ? null : <Live />}>
        What your API keys asked in the last {totals.days} days, and why a request was refused. Requests
        without a valid key are not listed.
      </PageHeader>
      <RequestFilters
        path={path}
        filters={filters}
        days={totals.days}
        keys={keys.map(({ id, name, lastFour }) => ({ value: id, name: `${name} (…${lastFour})` }))}
      />
      {page.data.length > 0 ? (
        <RequestList
          appPath={appPath}
          requests={page.data}
          keyNames={Object.fromEntries(keys.map(({ id, name }) => [id, name]))}
        />
      ) : (
        <NoRows
          icon={Activity}
          thing="request"
          path={path}
          filtered={filtered || cursor !== undefined}
          more={page.nextCursor !== null}
          hint="Loosen a filter, or look at another time."
          begin={{ href: `${appPath}/keys`, name: "Go to the API keys" }}
        >
          Call the API with one of your keys; the request is here a second later.
        </NoRows>
      )}
      <Pager path={path} query={filters} nextCursor={page.nextCursor} shown={page.data.length} />
      {totals.unlisted > 0 && (
        <p className="text-[13px] text-muted">
          {totals.unlisted.toLocaleString("en")} of {totals.requests.toLocaleString("en")} requests of these
          days are counted but not listed: in a busy second only the first ones are, and refused ones before
          others.
        </p>
      )}
    </>
  );
}
