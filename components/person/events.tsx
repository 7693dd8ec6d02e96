import { diagnosisLabels, VERDICT_LABELS } from "@/components/provider/labels";
import { PurchaseLine } from "@/components/provider/purchase-line";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { StatusBadge } from "@/components/ui/status-badge";
import { LocalTime } from "@/components/ui/time";
import type { PersonView } from "@/lib/contract/person";

interface Props {
  base: string;
  events: PersonView["events"];
}

/** The events of providers that named a person, with their outcomes. */
export function PersonEvents({ base, events }: Props) {
  return (
    <ul
      aria-label="Provider events"
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs"
    >
      {events.map((event) => (
        <li key={event.id} className="grid gap-1 px-4 py-2.5 text-sm">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusBadge status={event.verdict} looks={VERDICT_LABELS} />
            {event.sandbox && <Badge tone="warn">Sandbox</Badge>}
            <Link
              href={base + event.path}
              className="font-mono text-note wrap-anywhere underline hover:text-muted"
            >
              {event.type}
            </Link>
            <span className="text-note text-muted sm:ml-auto">
              <LocalTime at={event.at} shape="second" />
            </span>
          </p>
          <PurchaseLine purchase={event.purchase} />
          <p className="max-w-prose text-note text-muted">
            {event.diagnosis ? diagnosisLabels(event.diagnosis).advice : VERDICT_LABELS[event.verdict].why}
          </p>
        </li>
      ))}
    </ul>
  );
}
