import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/time";
import { type EndpointView, WEBHOOK_EVENT_NAMES } from "@/lib/contract/webhook-events";
import { EndpointBadge } from "./endpoint-state";

/** An app's endpoints, newest first. */
export function EndpointList({ path, endpoints }: { path: string; endpoints: readonly EndpointView[] }) {
  return (
    <ul
      aria-label="Webhook endpoints"
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs"
    >
      {endpoints.map(({ id, url, description, events, createdAt, ...state }) => (
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
            <span>
              {events.length} of {WEBHOOK_EVENT_NAMES.length} events
            </span>
            <span>
              Added <RelativeTime at={createdAt} />
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
