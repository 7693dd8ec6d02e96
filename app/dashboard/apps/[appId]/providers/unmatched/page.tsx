import { CircleCheck } from "lucide-react";
import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { EventPanel } from "@/components/provider/event-panel";
import { LinkCandidates } from "@/components/provider/link-candidates";
import { ProviderTabs } from "@/components/provider/provider-tabs";
import { UnmatchedList } from "@/components/provider/unmatched-list";
import { EmptyState } from "@/components/ui/empty-state";
import { Filter, Filters } from "@/components/ui/filters";
import { listHref, Pager } from "@/components/ui/pager";
import { linkCandidates } from "@/lib/confirmations/candidates";
import { findEvent, payloadText, toEventView } from "@/lib/confirmations/event";
import { listUnmatched } from "@/lib/confirmations/list";
import { toView } from "@/lib/connections/connection";
import { listConnections } from "@/lib/connections/list";
import { inboxFilters } from "@/lib/contract/event-filters";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import { dismissEventAction, linkInboxEventAction, replayEventAction, returnEventAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const ACTIONS = { replay: replayEventAction, dismiss: dismissEventAction, putBack: returnEventAction };
const SHOWS = [{ value: "dismissed", name: "Dismissed" }];

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Unmatched · ${(await personContext((await params).appId)).app.name}` };
}

export default async function UnmatchedPage({ params, searchParams }: Props) {
  const { ctx, app, role } = await personContext((await params).appId);
  const { event: opened, uid, ...query } = inboxFilters.parse(await searchParams);
  const [page, connections, event] = await Promise.all([
    listUnmatched(ctx, { cursor: query.cursor, verdict: query.show ?? "unmatched" }),
    listConnections(ctx),
    findEvent(ctx, opened),
  ]);
  const mayChange = mayAct(role, "member");
  const candidates =
    event?.verdict === "unmatched" && mayChange && (await linkCandidates(ctx, event.id, uid));
  const appPath = `/dashboard/apps/${app.id}`;
  const path = `${appPath}/providers/unmatched`;
  const labels = Object.fromEntries(connections.map((one) => [one.id, toView(one).label]));
  return (
    <>
      <PageHeader title="Providers">
        Events that fit nobody: the person never redeemed, or the provider knows them under another id.
      </PageHeader>
      <ProviderTabs path={`${appPath}/providers`} />
      <Filters>
        <Filter name="show" label="Which" value={query.show} choices={SHOWS} all="Unmatched" />
      </Filters>
      {event && (
        <EventPanel
          appPath={appPath}
          event={toEventView(event)}
          payload={payloadText(event)}
          closeHref={listHref(path, query)}
        >
          {candidates && (
            <LinkCandidates
              action={linkInboxEventAction}
              appId={app.id}
              eventId={event.id}
              uid={uid}
              candidates={candidates}
              keep={query}
            />
          )}
        </EventPanel>
      )}
      {page.data.length > 0 ? (
        <UnmatchedList
          path={path}
          appId={app.id}
          query={query}
          events={page.data.map(toEventView)}
          connections={labels}
          actions={mayChange ? ACTIONS : undefined}
        />
      ) : (
        <EmptyState icon={CircleCheck} title={query.show ? "Nothing was dismissed" : "Nothing waits here"}>
          {query.show
            ? "What you dismiss can be put back from here."
            : "Every purchase and refund that came found its referral, or meant nothing for one."}
        </EmptyState>
      )}
      <Pager path={path} query={query} nextCursor={page.nextCursor} shown={page.data.length} />
    </>
  );
}
