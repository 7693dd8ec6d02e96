import { Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { Filter, Filters } from "@/components/ui/filters";
import { Pager } from "@/components/ui/pager";
import type { EventVerdict, EventView } from "@/lib/contract/provider";
import { EventTable } from "./event-table";
import { VERDICT_CHOICES } from "./verdicts";

interface Props {
  path: string;
  query: { verdict?: EventVerdict | undefined; cursor?: string | undefined };
  events: readonly EventView[];
  nextCursor: string | null;
  /** What can be done to many of them. */
  children?: ReactNode;
}

/** What a connection sent, newest first, with the filter by what became of it. */
export function EventLog({ path, query, events, nextCursor, children }: Props) {
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
              label="What became of it"
              value={query.verdict}
              choices={VERDICT_CHOICES}
              all="Whatever became of it"
            />
          </Filters>
          {children}
        </div>
      </div>
      {events.length > 0 ? (
        <EventTable path={path} query={query} events={events} />
      ) : (
        <EmptyState icon={Inbox} title={narrowed ? "No event fits" : "No events yet"}>
          {narrowed
            ? "Choose another verdict, or look further back."
            : "What the provider sends appears here at once, whatever becomes of it."}
        </EmptyState>
      )}
      <Pager path={path} query={query} nextCursor={nextCursor} shown={events.length} />
    </section>
  );
}
