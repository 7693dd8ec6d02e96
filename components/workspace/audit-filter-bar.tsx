"use client";

import { type Choice, inputClass } from "@/components/ui/field";
import { Filter, Filters, SearchBox } from "@/components/ui/filters";
import { AUDIT_NOUNS, type AuditFilters } from "@/lib/contract/audit";

const NOUNS = Object.entries(AUDIT_NOUNS).map(([value, name]) => ({ value, name }));

/** The filters of the audit log. */
export function AuditFilterBar({ filters, apps }: { filters: AuditFilters; apps: readonly Choice[] }) {
  return (
    <Filters>
      <SearchBox
        name="q"
        label="Search the audit log"
        placeholder="Member, subject, action or address"
        value={filters.q}
      />
      <Filter name="noun" label="Subject" value={filters.noun} choices={NOUNS} all="Everything" />
      <Filter name="app" label="App" value={filters.app} choices={apps} all="All apps" />
      <DayFilter name="from" label="First day, UTC" value={filters.from} />
      <DayFilter name="to" label="Last day, UTC" value={filters.to} />
    </Filters>
  );
}

interface DayFilterProps {
  name: string;
  label: string;
  value?: string | undefined;
}

/** The first or last day (UTC) of a list. Applied on blur, because browsers take a half-typed date for a date. */
function DayFilter({ name, label, value = "" }: DayFilterProps) {
  return (
    <label className="flex items-center gap-1.5 text-note text-muted max-sm:basis-full">
      <span className="max-sm:w-24">{label}</span>
      <input
        type="date"
        name={name}
        defaultValue={value}
        key={value}
        onBlur={({ currentTarget }) => currentTarget.value !== value && currentTarget.form?.requestSubmit()}
        className={`${inputClass} w-auto max-sm:flex-1 ${value ? "border-ink" : ""}`}
      />
    </label>
  );
}
