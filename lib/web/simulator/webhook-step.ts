import { setTimeout as sleep } from "node:timers/promises";
import { formatCount } from "@/lib/contract/format";
import { type JourneyDelivery, listDeliveriesSince } from "@/lib/outward/webhooks/deliveries-about";
import { listEndpoints, maskAddress } from "@/lib/outward/webhooks/endpoints";
import { StepFailure } from "@/lib/web/simulator/exchange";
import type { Journey } from "@/lib/web/simulator/journey";
import type { StepResult } from "@/lib/web/simulator/steps";

/** Deliveries are sent within a second; longer than this is late. */
const WAIT_MS = 20_000;
const PAUSE_MS = 250;

/** Waits until the background work has sent the webhooks of this journey, and shows the last attempt of each. */
export async function awaitWebhooks(journey: Journey): Promise<StepResult> {
  const { ctx, signal, startedAt } = journey;
  const endpoints = (await listEndpoints(ctx)).filter(({ enabled }) => enabled);
  if (endpoints.length === 0)
    return { skipped: true, note: "No webhook endpoint is enabled. It is optional." };
  const end = Date.now() + WAIT_MS;
  let deliveries = await listDeliveriesSince(ctx, startedAt, journey.friends, journey.referrerId);
  // Deliveries behind a refused one wait for it, so the first refusal is the result.
  while (deliveries.some(isOpen) && !deliveries.some(isRefused) && Date.now() < end && !signal.aborted) {
    await sleep(PAUSE_MS);
    deliveries = await listDeliveriesSince(ctx, startedAt, journey.friends, journey.referrerId);
  }
  journey.step.exchanges = deliveries.map(({ eventType, url, attempt, body }) => ({
    request: `POST ${maskAddress(url)}`,
    sent: [`${eventType}`, "", JSON.stringify(body, null, 2)].join("\n"),
    status: attempt?.responseStatus ?? null,
    answer: attempt?.error ?? attempt?.responseBody ?? "",
    ms: attempt?.ms ?? 0,
  }));
  if (deliveries.length === 0)
    return { skipped: true, note: "No endpoint wants an event of a journey, clicks aside." };
  const refused = deliveries.find(isRefused);
  if (refused) throw new StepFailure(refusal(refused));
  const open = deliveries.filter(isOpen).length;
  if (open > 0) {
    throw new StepFailure({
      why: `${formatCount(open, "webhook is", "webhooks are")} still waiting to be sent.`,
      todo: "Look at the endpoint: it may be slowed after failures. Otherwise the service’s background work is late.",
      section: { path: "/webhooks", name: "Webhooks" },
    });
  }
  return { note: `Your server accepted ${formatCount(deliveries.length, "webhook")}.` };
}

const isRefused = ({ status, attempt }: JourneyDelivery): boolean =>
  status !== "delivered" && attempt !== null;
const isOpen = ({ status }: JourneyDelivery): boolean => status !== "delivered";

function refusal({ eventType, url, endpointId, attempt }: JourneyDelivery) {
  const status = attempt?.responseStatus;
  const reason = status ? `It returned ${status}` : (attempt?.error ?? "It did not respond");
  return {
    why: `${new URL(url).host} did not accept ${eventType}. ${reason}.`,
    todo: `Fix the endpoint${status === 410 ? ", then enable it: 410 has disabled it. The delivery is retried after that" : ". The delivery is retried automatically, and can be resent"}.`,
    section: { path: `/webhooks/${endpointId}`, name: "Endpoint" },
  };
}
