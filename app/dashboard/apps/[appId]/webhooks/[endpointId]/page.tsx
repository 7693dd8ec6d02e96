import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/dashboard/page-header";
import { ActButton } from "@/components/ui/act-button";
import { listHref } from "@/components/ui/pager";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { DeliveryList } from "@/components/webhook/delivery-list";
import { DeliveryPanel } from "@/components/webhook/delivery-panel";
import { EndpointFacts } from "@/components/webhook/endpoint-facts";
import { EndpointMenu } from "@/components/webhook/endpoint-menu";
import { EndpointBadge, EndpointTrouble } from "@/components/webhook/endpoint-state";
import { ResendFailed } from "@/components/webhook/resend-failed";
import { deliveryFilters } from "@/lib/contract/delivery-filters";
import { mayAct } from "@/lib/contract/roles";
import { deliveriesRequest } from "@/lib/contract/webhooks";
import { personContext } from "@/lib/session/context";
import { listEndpoints } from "@/lib/webhooks/endpoint";
import { listDeliveries } from "@/lib/webhooks/list-deliveries";
import { showDelivery } from "@/lib/webhooks/show-delivery";
import {
  changeEndpointAction,
  deleteEndpointAction,
  resendDeliveryAction,
  resendFailedAction,
  rotateEndpointSecretAction,
  setEndpointEnabledAction,
  testEndpointAction,
} from "../actions";

interface Props {
  params: Promise<{ appId: string; endpointId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const ACTIONS = {
  change: changeEndpointAction,
  secret: rotateEndpointSecretAction,
  enable: setEndpointEnabledAction,
  remove: deleteEndpointAction,
};

const SIZE = 50;

/** The endpoint of the address; one that is gone is a missing page. */
async function open(params: Props["params"]) {
  const { appId, endpointId } = await params;
  const room = await personContext(appId);
  const found = (await listEndpoints(room.ctx)).find(({ id }) => id === endpointId);
  return { ...room, endpoint: found ?? notFound() };
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { endpoint, app } = await open(params);
  return { title: `${new URL(endpoint.url).host} · ${app.name}` };
}

export default async function EndpointPage({ params, searchParams }: Props) {
  const { ctx, app, role, endpoint } = await open(params);
  const { delivery: opened, ...query } = deliveryFilters.parse(await searchParams);
  const { id } = endpoint;
  const asked = deliveriesRequest.safeParse({ id, limit: String(SIZE), cursor: query.cursor });
  const [page, delivery] = await Promise.all([
    listDeliveries(ctx, asked.data ?? { id, limit: SIZE, before: undefined }, query.status),
    // A link to one that is swept by now opens the list.
    opened ? showDelivery(ctx, id, opened).catch(() => undefined) : undefined,
  ]);
  const rooms = `/dashboard/apps/${app.id}/webhooks`;
  const path = `${rooms}/${id}`;
  const mayChange = mayAct(role, "admin");
  const hidden = { appId: app.id, endpointId: id };
  return (
    <SecretReveal>
      <Link href={rooms} className="w-fit text-[13px] text-muted hover:text-ink">
        ← Webhooks
      </Link>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-3">
            <span className="break-all">{new URL(endpoint.url).host}</span>
            <EndpointBadge endpoint={endpoint} />
          </span>
        }
        action={mayChange && <EndpointMenu appId={app.id} endpoint={endpoint} actions={ACTIONS} />}
      >
        {endpoint.description}
      </PageHeader>
      <EndpointTrouble endpoint={endpoint} />
      <EndpointFacts endpoint={endpoint} />
      {mayChange && endpoint.enabled && (
        <div className="flex flex-wrap gap-2">
          <ActButton action={testEndpointAction} hidden={hidden} done="A test event is on its way">
            Send a test event
          </ActButton>
          <ResendFailed action={resendFailedAction} hidden={hidden} />
        </div>
      )}
      {delivery && (
        <DeliveryPanel
          delivery={delivery}
          closeHref={listHref(path, query)}
          actions={
            mayChange &&
            endpoint.enabled && (
              <ActButton
                action={resendDeliveryAction}
                hidden={{ ...hidden, deliveryId: delivery.id }}
                done="It is sent again"
              >
                Resend
              </ActButton>
            )
          }
        />
      )}
      <DeliveryList path={path} query={query} page={page} size={SIZE} />
    </SecretReveal>
  );
}
