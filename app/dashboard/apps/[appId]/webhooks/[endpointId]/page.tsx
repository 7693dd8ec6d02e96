import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/dashboard/page-header";
import { Badge } from "@/components/ui/badge";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { DeliveryList } from "@/components/webhook/delivery-list";
import { EndpointFacts } from "@/components/webhook/endpoint-facts";
import { EndpointMenu } from "@/components/webhook/endpoint-menu";
import { mayAct } from "@/lib/contract/roles";
import { deliveriesRequest } from "@/lib/contract/webhooks";
import { personContext } from "@/lib/session/context";
import { listEndpoints } from "@/lib/webhooks/endpoint";
import { listDeliveries } from "@/lib/webhooks/list-deliveries";
import {
  changeEndpointAction,
  deleteEndpointAction,
  rotateEndpointSecretAction,
  setEndpointEnabledAction,
} from "../actions";

interface Props {
  params: Promise<{ appId: string; endpointId: string }>;
  searchParams: Promise<{ cursor?: string | string[] }>;
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
  const { cursor } = await searchParams;
  const asked = deliveriesRequest.safeParse({ id: endpoint.id, limit: String(SIZE), cursor });
  const page = await listDeliveries(ctx, asked.data ?? { id: endpoint.id, limit: SIZE, before: undefined });
  const rooms = `/dashboard/apps/${app.id}/webhooks`;
  return (
    <SecretReveal>
      <Link href={rooms} className="w-fit text-[13px] text-muted hover:text-ink">
        ← Webhooks
      </Link>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-3">
            <span className="break-all">{new URL(endpoint.url).host}</span>
            <Badge tone={endpoint.enabled ? "good" : "neutral"}>{endpoint.enabled ? "On" : "Off"}</Badge>
          </span>
        }
        action={
          mayAct(role, "admin") && <EndpointMenu appId={app.id} endpoint={endpoint} actions={ACTIONS} />
        }
      >
        {endpoint.description}
      </PageHeader>
      <EndpointFacts endpoint={endpoint} />
      <DeliveryList
        path={`${rooms}/${endpoint.id}`}
        cursor={asked.success && typeof cursor === "string" ? cursor : undefined}
        page={page}
        size={SIZE}
      />
    </SecretReveal>
  );
}
