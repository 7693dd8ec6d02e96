import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/dashboard/page-header";
import { ConnectionFacts } from "@/components/provider/connection-facts";
import { HealthBadge } from "@/components/provider/connection-list";
import { ConnectionMenu } from "@/components/provider/connection-menu";
import { MissingSecret, MissingSettings } from "@/components/provider/connection-needs";
import { ConnectionSteps } from "@/components/provider/connection-steps";
import { EventLog } from "@/components/provider/event-log";
import { EventPanel } from "@/components/provider/event-panel";
import { FirstEvent } from "@/components/provider/first-event";
import { ReplayButton } from "@/components/provider/replay-button";
import { ReplayMany } from "@/components/provider/replay-many";
import { TestEvent } from "@/components/provider/test-event";
import { listHref } from "@/components/ui/pager";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { diagnoseEvents } from "@/lib/confirmations/diagnose";
import { findEvent, payloadText, toEventDetail, toEventView } from "@/lib/confirmations/event";
import { listEvents } from "@/lib/confirmations/list";
import { toView } from "@/lib/connections/connection";
import { guideOf, missingSettings } from "@/lib/connections/guides";
import { connectionHealth } from "@/lib/connections/health";
import { listConnections } from "@/lib/connections/list";
import { eventFilters } from "@/lib/contract/event-filters";
import { REPLAYABLE } from "@/lib/contract/provider";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import {
  changeSecretAction,
  deleteConnectionAction,
  renameConnectionAction,
  replayEventAction,
  replayManyEventAction,
  sendTestEventAction,
  setConnectionEnabledAction,
  setOwnNamesAction,
  setSigningSecretAction,
} from "../actions";

interface Props {
  params: Promise<{ appId: string; connectionId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const ACTIONS = {
  rename: renameConnectionAction,
  secret: changeSecretAction,
  signing: setSigningSecretAction,
  names: setOwnNamesAction,
  enable: setConnectionEnabledAction,
  remove: deleteConnectionAction,
};

/** The connection of the address; one that is gone is a missing page. */
async function open(params: Props["params"]) {
  const { appId, connectionId } = await params;
  const room = await personContext(appId);
  const found = (await listConnections(room.ctx)).find(({ id }) => id === connectionId);
  return { ...room, connection: found ? toView(found) : notFound() };
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { connection, app } = await open(params);
  return { title: `${connection.label} · ${app.name}` };
}

export default async function ConnectionPage({ params, searchParams }: Props) {
  const { ctx, app, role, connection } = await open(params);
  const filters = eventFilters.parse(await searchParams);
  const { event: opened, ...query } = filters;
  const guide = guideOf(connection.provider) ?? notFound();
  const [health, page, event] = await Promise.all([
    connectionHealth(ctx, connection.id),
    listEvents(ctx, { ...query, connectionId: connection.id }),
    findEvent(ctx, opened),
  ]);
  const diagnoses = event ? await diagnoseEvents(ctx, [event]) : {};
  const missing = missingSettings(connection.provider, app);
  const waits = health.last === null && connection.enabled && !connection.waiting && missing.length === 0;
  const appPath = `/dashboard/apps/${app.id}`;
  const path = `${appPath}/providers/${connection.id}`;
  return (
    <SecretReveal>
      <Link href={`${appPath}/providers`} className="w-fit text-[13px] text-muted hover:text-ink">
        ← Providers
      </Link>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-3">
            {connection.label}
            <HealthBadge connection={connection} health={health} />
          </span>
        }
        action={
          mayAct(role, "admin") && (
            <ConnectionMenu appId={app.id} connection={connection} guide={guide} actions={ACTIONS} />
          )
        }
      />
      <MissingSettings settings={missing} appPath={appPath} />
      {connection.waiting && <MissingSecret label={guide.label} secret={guide.secretLabel} />}
      <ConnectionFacts connection={connection} guide={guide} health={health} />
      {waits && <FirstEvent provider={guide.label} />}
      {health.last === null && <ConnectionSteps guide={guide} />}
      {app.sandbox && connection.enabled && mayAct(role, "member") && (
        <TestEvent
          action={sendTestEventAction}
          appId={app.id}
          connectionId={connection.id}
          provider={guide.label}
          provable={guide.secretFrom !== "nobody"}
        />
      )}
      {event && event.connectionId === connection.id && (
        <EventPanel
          appPath={appPath}
          event={toEventDetail(event)}
          diagnosis={diagnoses[event.id]}
          payload={payloadText(event)}
          closeHref={listHref(path, query)}
          actions={
            mayAct(role, "member") && (
              <ReplayButton
                action={replayEventAction}
                appId={app.id}
                eventId={event.id}
                verdict={event.verdict}
              />
            )
          }
        />
      )}
      <EventLog path={path} query={query} events={page.data.map(toEventView)} nextCursor={page.nextCursor}>
        {mayAct(role, "member") && page.data.length > 0 && (
          <ReplayMany
            action={replayManyEventAction}
            hidden={{ appId: app.id, connectionId: connection.id }}
            verdict={query.verdict && REPLAYABLE.includes(query.verdict) ? query.verdict : "unmatched"}
          />
        )}
      </EventLog>
      {health.last !== null && <ConnectionSteps guide={guide} />}
    </SecretReveal>
  );
}
