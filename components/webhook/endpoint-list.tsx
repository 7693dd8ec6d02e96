import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/time";
import { type EndpointView, WEBHOOK_EVENT_NAMES } from "@/lib/contract/webhook-events";
import type { DeliveryResponse } from "@/lib/contract/webhooks";
import { DELIVERY_LOOKS } from "./delivery-status";
import { EndpointBadge } from "./endpoint-state";

interface Props {
  path: string;
  /** Each with its newest delivery. */
  endpoints: readonly (EndpointView & {
    last: Pick<DeliveryResponse, "status" | "created_at"> | undefined;
  })[];
}

/** The chosen events, or the omitted ones if these are few. */
export function eventsSummary(events: readonly string[]): string {
  const absent = WEBHOOK_EVENT_NAMES.filter((name) => !events.includes(name));
  if (absent.length === 0) return `All ${WEBHOOK_EVENT_NAMES.length} events`;
  return absent.length < 4 ? `All events except ${absent.join(", ")}` : events.join(", ");
}

/** An app's endpoints, newest first. */
export function EndpointList({ path, endpoints }: Props) {
  return (
    <ul
      aria-label="Webhook endpoints"
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs"
    >
      {endpoints.map(({ id, url, description, events, last, ...state }) => (
        <li key={id} className="relative grid gap-1 px-5 py-4 hover:bg-subtle/60">
          <p className="flex min-w-0 flex-wrap items-center gap-2.5">
            <Link
              href={`${path}/${id}`}
              className="min-w-0 font-mono text-note font-medium wrap-anywhere after:absolute after:inset-0"
            >
              {url}
            </Link>
            <EndpointBadge endpoint={state} />
          </p>
          <p className="flex flex-wrap gap-x-4 text-note text-muted">
            {description && <span>{description}</span>}
            <span>{eventsSummary(events)}</span>
            <span>
              {last ? (
                <>
                  Last delivery <RelativeTime at={new Date(last.created_at)} />:{" "}
                  {DELIVERY_LOOKS[last.status].label.toLowerCase()}
                </>
              ) : (
                "No deliveries yet"
              )}
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
