import { Badge } from "@/components/ui/badge";
import { LocalTime } from "@/components/ui/local-time";
import { listHref } from "@/components/ui/pager";
import { type Column, Table } from "@/components/ui/table";
import type { EventView } from "@/lib/contract/provider";
import { VERDICT_WORDS } from "./verdicts";

interface Props {
  path: string;
  /** Filters and place of the list, which stay when an event is opened. */
  query: Record<string, string | undefined>;
  events: readonly EventView[];
}

const COLUMNS: readonly Column<EventView>[] = [
  {
    header: "Event",
    cell: ({ type, at }) => (
      <span className="grid gap-0.5">
        <span className="font-mono text-[13px] [overflow-wrap:anywhere]">{type}</span>
        <span className="text-xs font-normal text-muted sm:hidden">
          <LocalTime at={at} shape="second" />
        </span>
      </span>
    ),
  },
  {
    header: "What became of it",
    cell: ({ verdict }) => <Badge tone={VERDICT_WORDS[verdict].tone}>{VERDICT_WORDS[verdict].name}</Badge>,
  },
  {
    header: "User",
    wide: true,
    cell: ({ uids }) => <span className="font-mono text-[13px] break-all">{uids[0] ?? "–"}</span>,
  },
  { header: "Received", numeric: true, wide: true, cell: ({ at }) => <LocalTime at={at} shape="second" /> },
];

/** Events of providers, newest first; one opens above the list. */
export function EventTable({ path, query, events }: Props) {
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
