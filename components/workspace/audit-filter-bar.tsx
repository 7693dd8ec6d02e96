import type { Choice } from "@/components/ui/field";
import { Filter, Filters, SearchBox } from "@/components/ui/filters";
import { AUDIT_NOUNS, type AuditFilters } from "@/lib/contract/audit";
import { DayFilter } from "./day-filter";

const NOUNS = Object.entries(AUDIT_NOUNS).map(([value, name]) => ({ value, name }));

/** What of the audit log is looked for. */
export function AuditFilterBar({ filters, apps }: { filters: AuditFilters; apps: readonly Choice[] }) {
  return (
    <Filters>
      <SearchBox
        name="q"
        label="Search the audit log"
        placeholder="Person, thing, action or address"
        value={filters.q}
      />
      <Filter name="noun" label="Kind of thing" value={filters.noun} choices={NOUNS} all="Everything" />
      <Filter name="app" label="App" value={filters.app} choices={apps} all="All apps" />
      <DayFilter name="from" label="From" value={filters.from} />
      <DayFilter name="to" label="To" value={filters.to} />
    </Filters>
  );
}
