import { Activity } from "lucide-react";
import type { Metadata } from "next";
import { LiveSwitch } from "@/components/requests/live-switch";
import { RequestFilterBar } from "@/components/requests/request-filters";
import { RequestList } from "@/components/requests/request-list";
import { NoRows } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/pager";
import { formatDayAndMonth, formatNumber } from "@/lib/contract/format";
import { requestFilters } from "@/lib/contract/request-line";
import { listRequests, requestTotals } from "@/lib/outward/request-log/list";
import { listConnections, toConnectionView } from "@/lib/program/connections/connection";
import { listKeys } from "@/lib/tenants/api-keys/list";
import { appContext } from "@/lib/web/session/context";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Requests · ${(await appContext((await params).appId)).app.name}` };
}

export default async function RequestsPage({ params, searchParams }: Props) {
  const { ctx, app } = await appContext((await params).appId);
  const filters = requestFilters.parse(await searchParams);
  const [page, totals, keys, connections] = await Promise.all([
    listRequests(ctx, filters),
    requestTotals(ctx),
    listKeys(ctx),
    listConnections(ctx),
  ]);
  const callers = [
    ...keys.map(({ id, name, lastFour }) => ({ value: id, name: `${name} (…${lastFour})` })),
    ...connections.map((row) => ({ value: row.id, name: toConnectionView(row).label })),
  ];
  const appPath = `/dashboard/apps/${app.id}`;
  const path = `${appPath}/requests`;
  const { cursor, ...chosen } = filters;
  const filtered = Object.values(chosen).some(Boolean);
  return (
    <>
      <PageHeader title="Requests" action={cursor ? null : <LiveSwitch />}>
        Requests of your API keys in the last {totals.days} days, and why some were refused. Providers’
        deliveries are listed only where they were refused.
      </PageHeader>
      <RequestFilterBar path={path} filters={filters} days={totals.days} callers={callers} />
      {page.data.length > 0 ? (
        <RequestList
          appPath={appPath}
          requests={page.data}
          callerNames={Object.fromEntries(callers.map(({ value, name }) => [value, name]))}
          open={filters.id !== undefined}
        />
      ) : (
        <NoRows
          icon={Activity}
          thing="request"
          path={path}
          filtered={filtered || cursor !== undefined}
          more={page.nextCursor !== null}
          hint={
            filters.id
              ? "No request of this app has this ID. Requests with an unknown key are not listed, because we cannot tell which app they belong to."
              : "Remove a filter, or choose another time."
          }
          begin={{ href: `${appPath}/keys`, name: "Open API keys" }}
        >
          Call the API with one of your keys. The request appears here a second later.
        </NoRows>
      )}
      <Pager path={path} query={filters} nextCursor={page.nextCursor} shown={page.data.length} />
      {totals.unlisted > 0 && (
        <p className="text-note text-muted">
          {formatNumber(totals.unlisted)} of {formatNumber(totals.requests)} requests since{" "}
          {formatDayAndMonth(totals.since)} (UTC) are counted but not listed: in a busy second only the first
          ones are listed, refused ones before others.
        </p>
      )}
    </>
  );
}
