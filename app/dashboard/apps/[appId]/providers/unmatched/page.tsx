import { CircleCheck } from "lucide-react";
import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { EventPanel } from "@/components/provider/event-panel";
import { LinkCandidates } from "@/components/provider/link-candidates";
import { ProviderTabs } from "@/components/provider/provider-tabs";
import { ReplayMany } from "@/components/provider/replay-many";
import { UnmatchedList } from "@/components/provider/unmatched-list";
import { VERDICT_WORDS } from "@/components/provider/verdicts";
import { EmptyState } from "@/components/ui/empty-state";
import { Filter, Filters } from "@/components/ui/filters";
import { listHref, Pager } from "@/components/ui/pager";
import { linkCandidates } from "@/lib/confirmations/candidates";
import { diagnoseEvents } from "@/lib/confirmations/diagnose";
import { findEvent, payloadText, toEventDetail, toEventView } from "@/lib/confirmations/event";
import { listUnmatched } from "@/lib/confirmations/list";
import { toView } from "@/lib/connections/connection";
import { listConnections } from "@/lib/connections/list";
import { INBOX_SHOWS, inboxFilters } from "@/lib/contract/event-filters";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import {
  dismissEventAction,
  linkInboxEventAction,
  replayEventAction,
  replayManyEventAction,
  returnEventAction,
} from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const ACTIONS = { replay: replayEventAction, dismiss: dismissEventAction, putBack: returnEventAction };
const SHOWS = INBOX_SHOWS.map((value) => ({ value, name: VERDICT_WORDS[value].name }));

/** What an empty list of each kind says. */
const EMPTY = {
  unmatched: {
    title: "Nothing waits here",
    words: "Every purchase and refund that came found its referral, or meant nothing for one.",
  },
  dismissed: { title: "Nothing was dismissed", words: "What you dismiss can be put back from here." },
  sandbox: { title: "No sandbox events", words: "Test purchases that come to a live app are kept here." },
  failed: { title: "Nothing failed", words: "What cannot be judged is kept here and tried again by itself." },
  unreadable: {
    title: "Everything could be read",
    words: "A delivery that is no event is kept here as it came.",
  },
};

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
  const diagnoses = await diagnoseEvents(ctx, event ? [event, ...page.data] : page.data);
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
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Filters>
          <Filter name="show" label="Which" value={query.show} choices={SHOWS} all="Unmatched" />
        </Filters>
        {mayChange && page.data.length > 0 && (
          <ReplayMany
            action={replayManyEventAction}
            hidden={{ appId: app.id }}
            verdict={query.show ?? "unmatched"}
          />
        )}
      </div>
      {event && (
        <EventPanel
          appPath={appPath}
          event={toEventDetail(event)}
          diagnosis={diagnoses[event.id]}
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
          diagnoses={diagnoses}
          actions={mayChange ? ACTIONS : undefined}
        />
      ) : (
        <EmptyState icon={CircleCheck} title={EMPTY[query.show ?? "unmatched"].title}>
          {EMPTY[query.show ?? "unmatched"].words}
        </EmptyState>
      )}
      <Pager path={path} query={query} nextCursor={page.nextCursor} shown={page.data.length} />
    </>
  );
}
