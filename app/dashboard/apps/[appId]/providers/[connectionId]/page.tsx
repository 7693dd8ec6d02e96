import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AwaitFirst } from "@/components/provider/await-first";
import { ConnectionFacts, MissingSecret, MissingSettings } from "@/components/provider/connection-facts";
import { HealthBadge, ProviderMark } from "@/components/provider/connection-list";
import { ConnectionMenu } from "@/components/provider/connection-menu";
import { ConnectionSteps } from "@/components/provider/connection-steps";
import { EventLog } from "@/components/provider/event-log";
import { EventPanel } from "@/components/provider/event-panel";
import { ReplayButton } from "@/components/provider/replay-button";
import { ReplayMany } from "@/components/provider/replay-many";
import { SendSample } from "@/components/provider/send-sample";
import { Colleagues } from "@/components/ui/empty-state";
import { NextStep } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listHref } from "@/components/ui/pager";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { eventFilters, REPLAYABLE } from "@/lib/contract/provider";
import { mayAct } from "@/lib/contract/workspace";
import { findRefusedBody } from "@/lib/outward/request-log/list";
import { diagnoseEvents } from "@/lib/program/confirmations/diagnose";
import { findEvent, payloadText, toEventDetail, toEventView } from "@/lib/program/confirmations/event";
import { listEvents } from "@/lib/program/confirmations/list";
import { listConnections, toConnectionView } from "@/lib/program/connections/connection";
import { findGuide, missingSettings } from "@/lib/program/connections/guides";
import { connectionHealth } from "@/lib/program/connections/health";
import { appContext } from "@/lib/web/session/context";
import {
  deleteConnectionAction,
  renameConnectionAction,
  replayEventAction,
  replayManyEventAction,
  rotateConnectionSecretAction,
  sendSampleEventAction,
  toggleConnectionAction,
  updateOwnNamesAction,
  updateSigningSecretAction,
  updateWebPurchasesAction,
} from "../actions";

interface Props {
  params: Promise<{ appId: string; connectionId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const ACTIONS = {
  rename: renameConnectionAction,
  secret: rotateConnectionSecretAction,
  signing: updateSigningSecretAction,
  names: updateOwnNamesAction,
  web: updateWebPurchasesAction,
  enable: toggleConnectionAction,
  remove: deleteConnectionAction,
};

/** The connection of the address; without it the page is not found. */
async function load(params: Props["params"]) {
  const { appId, connectionId } = await params;
  const context = await appContext(appId);
  const connection = (await listConnections(context.ctx)).find(({ id }) => id === connectionId);
  return { ...context, connection: connection ? toConnectionView(connection) : notFound() };
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { connection, app } = await load(params);
  return { title: `${connection.label} · ${app.name}` };
}

export default async function ConnectionPage({ params, searchParams }: Props) {
  const { ctx, app, workspace, role, connection } = await load(params);
  const filters = eventFilters.parse(await searchParams);
  const { event: opened, ...query } = filters;
  const guide = findGuide(connection.provider) ?? notFound();
  const [health, refusedBody, page, event] = await Promise.all([
    connectionHealth(ctx, connection.id),
    connection.refusedAt ? findRefusedBody(ctx, connection.id) : undefined,
    listEvents(ctx, { ...query, connectionId: connection.id }),
    findEvent(ctx, opened),
  ]);
  const diagnoses = event ? await diagnoseEvents(ctx, [event]) : {};
  const missing = missingSettings(connection.provider, app);
  const isAwaiting =
    health.last === null && connection.enabled && !connection.waiting && missing.length === 0;
  const appPath = `/dashboard/apps/${app.id}`;
  const path = `${appPath}/providers/${connection.id}`;
  return (
    <SecretReveal>
      <PageHeader
        trail={[{ href: `${appPath}/providers`, name: "Providers" }]}
        title={
          <span className="flex flex-wrap items-center gap-3">
            <ProviderMark provider={connection.provider} />
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
      <ConnectionFacts connection={connection} guide={guide} health={health} refusedBody={refusedBody} />
      <Colleagues
        of={workspace}
        role={role}
        needs="admin"
        may="replace the secret, and enable or disable this connection"
      />
      {isAwaiting && <AwaitFirst>Waiting for the first event from {guide.label}.</AwaitFirst>}
      {health.last === null && <ConnectionSteps guide={guide} />}
      {app.sandbox && connection.enabled && mayAct(role, "member") && (
        <SendSample
          action={sendSampleEventAction}
          appId={app.id}
          connectionId={connection.id}
          provider={guide.label}
          provable={guide.secretFrom !== "none"}
        />
      )}
      {event && event.connectionId === connection.id && (
        <EventPanel
          appPath={appPath}
          event={toEventDetail(event)}
          diagnosis={diagnoses[event.id]}
          payload={payloadText(event)}
          closeHref={listHref(path, query)}
          countWebAs={guide.webPurchases && !connection.webPurchases ? role : undefined}
          actions={
            mayAct(role, "support") && (
              <>
                {event.verdict === "unmatched" && (
                  <NextStep href={`${appPath}/providers/unmatched?event=${event.id}`}>
                    Link to a referral
                  </NextStep>
                )}
                <ReplayButton
                  action={replayEventAction}
                  appId={app.id}
                  eventId={event.id}
                  verdict={event.verdict}
                />
              </>
            )
          }
        />
      )}
      <EventLog
        path={path}
        query={query}
        events={page.data.map(toEventView)}
        nextCursor={page.nextCursor}
        check={`${appPath}/check`}
      >
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
