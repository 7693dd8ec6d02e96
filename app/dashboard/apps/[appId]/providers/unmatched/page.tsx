import { CircleCheck } from "lucide-react";
import type { Metadata } from "next";
import { BulkBar } from "@/components/bulk/bulk-bar";
import { DismissUninvited } from "@/components/provider/dismiss-uninvited";
import { EventPanel } from "@/components/provider/event-panel";
import { VERDICT_LABELS } from "@/components/provider/labels";
import { LinkCandidates } from "@/components/provider/link-candidates";
import { ProviderTabs } from "@/components/provider/provider-tabs";
import { ReplayButton } from "@/components/provider/replay-button";
import { ReplayMany } from "@/components/provider/replay-many";
import { isMovable, UnmatchedList } from "@/components/provider/unmatched-list";
import { Colleagues, EmptyState } from "@/components/ui/empty-state";
import { Filter, Filters } from "@/components/ui/filters";
import { NextStep } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listHref, Pager } from "@/components/ui/pager";
import { INBOX_SHOWS, inboxFilters, UNINVITED } from "@/lib/contract/provider";
import { mayAct } from "@/lib/contract/workspace";
import { diagnoseEvents } from "@/lib/program/confirmations/diagnose";
import { findEvent, payloadText, toEventDetail, toEventView } from "@/lib/program/confirmations/event";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { listConnections, toConnectionView } from "@/lib/program/connections/connection";
import { linkCandidates } from "@/lib/program/referrals/link-candidates";
import { appContext } from "@/lib/web/session/context";
import {
  dismissChosenEventAction,
  dismissEventAction,
  dismissUninvitedEventAction,
  linkInboxEventAction,
  replayEventAction,
  replayManyEventAction,
  restoreChosenEventAction,
  restoreEventAction,
} from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const ACTIONS = { replay: replayEventAction, dismiss: dismissEventAction, putBack: restoreEventAction };
const SHOWS = [
  { value: UNINVITED, name: "Not invited" },
  ...INBOX_SHOWS.map((value) => ({ value, name: VERDICT_LABELS[value].label })),
];

/** The bar's actions for the chosen events of a list. */
const DISMISS = {
  action: dismissChosenEventAction,
  label: "Dismiss",
  description:
    "They stay under “Dismissed” and can be put back. A dismissed purchase is no longer applied if its buyer redeems later.",
  done: "dismissed",
};
const PUT_BACK = {
  action: restoreChosenEventAction,
  label: "Put back",
  description: "They return to Unmatched.",
  done: "put back",
};

type Show = NonNullable<ReturnType<typeof inboxFilters.parse>["show"]>;

/** The text of an empty list, by outcome. */
const EMPTY = {
  unmatched: {
    title: "No lost referrals",
    text: "No unmatched event shows a sign of a lost referral. All others are under “Not invited”.",
  },
  uninvited: {
    title: "No other events",
    text: "Purchases and refunds of people who were never invited, and refunds that change no referral, are listed here. They raise no alert.",
  },
  dismissed: {
    title: "No dismissed events",
    text: "Events that you dismiss are listed here and can be put back.",
  },
  sandbox: { title: "No sandbox events", text: "Test purchases sent to a live app are listed here." },
  failed: {
    title: "No failed events",
    text: "Events that cannot be applied are listed here and retried automatically.",
  },
  unreadable: {
    title: "No unreadable events",
    text: "Requests that are not an event of the provider are listed here.",
  },
};

/** The text of an older page whose events were dismissed or matched meanwhile. */
const NO_OLDER = { title: "No older events", text: "To see the others, choose “Newest” below." };

/** The events behind a choice of the filter. */
function shownEvents(show: Show | undefined) {
  if (show === undefined || show === UNINVITED)
    return { verdict: "unmatched", lost: show === undefined } as const;
  return { verdict: show };
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Unmatched · ${(await appContext((await params).appId)).app.name}` };
}

export default async function UnmatchedPage({ params, searchParams }: Props) {
  const { ctx, app, workspace, role } = await appContext((await params).appId);
  const { event: opened, uid, ...query } = inboxFilters.parse(await searchParams);
  const [page, connections, event] = await Promise.all([
    listUnmatched(ctx, { cursor: query.cursor, ...shownEvents(query.show) }),
    listConnections(ctx),
    findEvent(ctx, opened),
  ]);
  const mayChange = mayAct(role, "support");
  const diagnoses = await diagnoseEvents(ctx, event ? [event, ...page.data] : page.data);
  const candidates =
    event?.verdict === "unmatched" && mayChange && (await linkCandidates(ctx, event.id, uid));
  const appPath = `/dashboard/apps/${app.id}`;
  const path = `${appPath}/providers/unmatched`;
  const empty = query.cursor ? NO_OLDER : EMPTY[query.show ?? "unmatched"];
  const labels = Object.fromEntries(
    connections.map((connection) => [connection.id, toConnectionView(connection).label]),
  );
  return (
    <>
      <PageHeader title="Providers">
        Events that may belong to a referral: the provider sent no user ID or one of its own, someone redeemed
        a metacode shortly before a purchase, the buyer’s redemption has no code, or a refund may change a
        referral.
      </PageHeader>
      <ProviderTabs path={`${appPath}/providers`} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Filters>
          <Filter name="show" label="Outcome" value={query.show} choices={SHOWS} all="Possibly lost" />
        </Filters>
        {mayChange && query.show === UNINVITED && page.data.length > 0 && (
          <DismissUninvited action={dismissUninvitedEventAction} appId={app.id} />
        )}
        {mayAct(role, "member") && page.data.length > 0 && (
          <ReplayMany
            action={replayManyEventAction}
            hidden={{ appId: app.id }}
            verdict={shownEvents(query.show).verdict}
          />
        )}
      </div>
      <Colleagues of={workspace} role={role} needs="support" may="link, replay and dismiss these events" />
      {event && (
        <EventPanel
          appPath={appPath}
          event={toEventDetail(event)}
          diagnosis={diagnoses[event.id]}
          payload={payloadText(event)}
          closeHref={listHref(path, query)}
          actions={
            mayChange && (
              <ReplayButton
                action={ACTIONS.replay}
                appId={app.id}
                eventId={event.id}
                verdict={event.verdict}
              />
            )
          }
        >
          {candidates && (
            <LinkCandidates
              action={linkInboxEventAction}
              appId={app.id}
              eventId={event.id}
              kind={String(event.confirmation.kind)}
              uid={uid}
              candidates={candidates.data}
              more={candidates.nextCursor !== null}
              keep={query}
            />
          )}
        </EventPanel>
      )}
      {mayChange && page.data.some(isMovable) && (
        <BulkBar
          key={`${query.show} ${query.cursor}`}
          hidden={{ appId: app.id }}
          noun={["event", "events"]}
          actions={[query.show === "dismissed" ? PUT_BACK : DISMISS]}
        />
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
        <EmptyState
          icon={CircleCheck}
          title={page.nextCursor ? "None found so far" : empty.title}
          action={
            query.show || query.cursor ? (
              <NextStep href={path}>Open unmatched events</NextStep>
            ) : (
              <NextStep href={`/dashboard/apps/${app.id}/referrals`}>Open referrals</NextStep>
            )
          }
        >
          {page.nextCursor ? "None of the rows searched so far matches." : empty.text}
        </EmptyState>
      )}
      <Pager path={path} query={query} nextCursor={page.nextCursor} shown={page.data.length} />
    </>
  );
}
