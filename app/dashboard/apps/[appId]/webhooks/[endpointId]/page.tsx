import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ActButton } from "@/components/ui/act-button";
import { Colleagues } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { listHref } from "@/components/ui/pager";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { DeliveryList } from "@/components/webhook/delivery-list";
import { DeliveryPanel } from "@/components/webhook/delivery-panel";
import { EndpointFacts } from "@/components/webhook/endpoint-facts";
import { EndpointMenu } from "@/components/webhook/endpoint-menu";
import { EndpointBadge, EndpointNotice } from "@/components/webhook/endpoint-state";
import { ResendFailed } from "@/components/webhook/resend-failed";
import { deliveryFilters } from "@/lib/contract/webhook-events";
import { deliveriesRequest } from "@/lib/contract/webhooks";
import { mayAct } from "@/lib/contract/workspace";
import { findDelivery, listDeliveries } from "@/lib/outward/webhooks/deliveries";
import { listEndpointsFor } from "@/lib/outward/webhooks/endpoints";
import { appContext } from "@/lib/web/session/context";
import {
  deleteEndpointAction,
  resendChosenAction,
  resendDeliveryAction,
  resendFailedAction,
  rotateEndpointSecretAction,
  testEndpointAction,
  toggleEndpointAction,
  tryEndpointAction,
  updateEndpointAction,
} from "../actions";

interface Props {
  params: Promise<{ appId: string; endpointId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const ACTIONS = {
  ...{ update: updateEndpointAction, secret: rotateEndpointSecretAction },
  ...{ enable: toggleEndpointAction, remove: deleteEndpointAction },
};

const SIZE = 50;

/** The endpoint that the address names. A deleted endpoint is a missing page. */
async function loadEndpoint(params: Props["params"]) {
  const { appId, endpointId } = await params;
  const context = await appContext(appId);
  const endpoint = (await listEndpointsFor(context.ctx, context.role)).find(({ id }) => id === endpointId);
  return { ...context, id: endpointId, endpoint: endpoint ?? notFound() };
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { endpoint, app } = await loadEndpoint(params);
  return { title: `${new URL(endpoint.url).host} · ${app.name}` };
}

export default async function EndpointPage({ params, searchParams }: Props) {
  const { ctx, app, workspace, role, id, endpoint } = await loadEndpoint(params);
  const { delivery: opened, ...query } = deliveryFilters.parse(await searchParams);
  const parsed = deliveriesRequest.safeParse({ id, limit: String(SIZE), cursor: query.cursor });
  const [page, delivery] = await Promise.all([
    listDeliveries(ctx, parsed.data ?? { id, limit: SIZE, before: undefined }, query.status),
    // A link to a delivery that has expired opens the list.
    findDelivery(ctx, id, opened),
  ]);
  const path = `/dashboard/apps/${app.id}/webhooks/${id}`;
  const mayChange = mayAct(role, "admin");
  const maySend = mayChange && endpoint.enabled;
  const hidden = { appId: app.id, endpointId: id };
  const first = endpoint.enabled
    ? { action: testEndpointAction, hidden, done: "Test event queued", children: "Send test event" }
    : { action: ACTIONS.enable, hidden: { ...hidden, enabled: "true" }, children: "Enable endpoint" };
  const begin = mayChange && <ActButton {...first} />;
  return (
    <SecretReveal>
      <PageHeader
        trail={[{ href: `/dashboard/apps/${app.id}/webhooks`, name: "Webhooks" }]}
        title={
          <span className="flex flex-wrap items-center gap-3">
            <span className="wrap-anywhere">{new URL(endpoint.url).host}</span>
            <EndpointBadge endpoint={endpoint} />
          </span>
        }
        action={mayChange && <EndpointMenu appId={app.id} endpoint={endpoint} actions={ACTIONS} />}
      >
        {endpoint.description}
      </PageHeader>
      <EndpointNotice endpoint={endpoint} />
      <EndpointFacts endpoint={endpoint} whole={mayChange} />
      <Colleagues of={workspace} role={role} needs="admin" may="resend deliveries and try again now" />
      {maySend && (page.data.length > 0 || query.status || query.cursor) && (
        <div className="flex flex-wrap gap-2">
          {begin}
          {endpoint.failingSince && (
            <ActButton action={tryEndpointAction} hidden={hidden} done="The next delivery is queued">
              Try now
            </ActButton>
          )}
          <ResendFailed action={resendFailedAction} hidden={hidden} />
        </div>
      )}
      {delivery && (
        <DeliveryPanel
          delivery={delivery}
          closeHref={listHref(path, query)}
          actions={
            maySend && (
              <ActButton
                action={resendDeliveryAction}
                hidden={{ ...hidden, deliveryId: delivery.id }}
                done="Resend queued"
              >
                Resend
              </ActButton>
            )
          }
        />
      )}
      <DeliveryList
        path={path}
        query={query}
        page={page}
        size={SIZE}
        enabled={endpoint.enabled}
        begin={begin}
        resend={maySend ? { action: resendChosenAction, hidden } : undefined}
      />
    </SecretReveal>
  );
}
