import { Activity } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/components/dashboard/page-header";
import { Live } from "@/components/requests/live";
import { RequestFilters } from "@/components/requests/request-filters";
import { RequestList } from "@/components/requests/request-list";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
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
        <Nothing filtered={filtered || cursor !== undefined} more={page.nextCursor !== null} path={appPath} />
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

function Nothing({ filtered, more, path }: { filtered: boolean; more: boolean; path: string }) {
  if (filtered) {
    const action = (
      <Link href={`${path}/requests`} className={buttonClass({ variant: "secondary" })}>
        Show all requests
      </Link>
    );
    return (
      <EmptyState icon={Activity} title="No request fits" action={action}>
        {more ? "None of those looked at so far." : "Loosen a filter, or look at another time."}
      </EmptyState>
    );
  }
  const action = (
    <Link href={`${path}/keys`} className={buttonClass()}>
      Go to the API keys
    </Link>
  );
  return (
    <EmptyState icon={Activity} title="No requests yet" action={action}>
      Call the API with one of your keys; the request is here a second later.
    </EmptyState>
  );
}
