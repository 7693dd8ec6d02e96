import { Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { CodeName } from "@/components/ui/code-text";
import { EmptyState } from "@/components/ui/empty-state";
import { Filter, Filters } from "@/components/ui/filters";
import { NextStep } from "@/components/ui/link";
import { listHref, Pager } from "@/components/ui/pager";
import { StatusBadge, statusChoices } from "@/components/ui/status-badge";
import { type Column, Table } from "@/components/ui/table";
import { LocalTime } from "@/components/ui/time";
import { shownUid } from "@/lib/contract/influencer";
import type { EventVerdict, EventView } from "@/lib/contract/provider";
import { VERDICT_LABELS } from "./labels";

interface Props {
  path: string;
  query: { verdict?: EventVerdict | undefined; cursor?: string | undefined };
  events: readonly EventView[];
  nextCursor: string | null;
  /** The page of the integration check, for a log without events. */
  check: string;
  /** Actions on many events. */
  children?: ReactNode;
}

/** The events of a connection, newest first, with a filter by outcome. */
export function EventLog({ path, query, events, nextCursor, check, children }: Props) {
  const narrowed = query.verdict !== undefined || query.cursor !== undefined;
  return (
    <section aria-labelledby="events" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="events" className="text-base font-semibold tracking-tight">
          Events
        </h2>
        <div className="flex flex-wrap items-center gap-2">
          <Filters>
            <Filter
              name="verdict"
              label="Outcome"
              value={query.verdict}
              choices={statusChoices(VERDICT_LABELS)}
              all="All outcomes"
            />
          </Filters>
          {children}
        </div>
      </div>
      {events.length > 0 ? (
        <EventTable path={path} query={query} events={events} />
      ) : (
        <EmptyState
          icon={Inbox}
          title={narrowed ? "No matching events" : "No events yet"}
          action={
            narrowed ? (
              <NextStep href={path}>Show all events</NextStep>
            ) : (
              <NextStep href={check}>Check the integration</NextStep>
            )
          }
        >
          {narrowed
            ? "Choose another outcome, or go further back."
            : "Every event that the provider sends appears here right away, whatever its outcome."}
        </EmptyState>
      )}
      <Pager path={path} query={query} nextCursor={nextCursor} shown={events.length} />
    </section>
  );
}

const COLUMNS: readonly Column<EventView>[] = [
  {
    header: "Event",
    cell: ({ type, at }) => (
      <span className="grid gap-0.5 [overflow-wrap:anywhere]">
        <CodeName name={type} />
        <span className="text-xs font-normal text-muted sm:hidden">
          <LocalTime at={at} shape="second" />
        </span>
      </span>
    ),
  },
  {
    header: "Outcome",
    cell: ({ verdict }) => <StatusBadge status={verdict} looks={VERDICT_LABELS} />,
  },
  {
    header: "User",
    wide: true,
    cell: ({ uids }) => (
      <span className="font-mono text-note wrap-anywhere">{(uids[0] && shownUid(uids[0])) ?? "–"}</span>
    ),
  },
  { header: "Received", numeric: true, wide: true, cell: ({ at }) => <LocalTime at={at} shape="second" /> },
];

/** Each row opens its event above the list. */
function EventTable({ path, query, events }: Pick<Props, "path" | "query" | "events">) {
  return (
    <Table
      label="Events, newest first"
      columns={COLUMNS}
      rows={events}
      rowKey={({ id }) => id}
      href={({ id }) => listHref(path, { ...query, event: id })}
    />
  );
}
