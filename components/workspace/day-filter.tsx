"use client";

import { inputClass } from "@/components/ui/field";

interface Props {
  name: string;
  label: string;
  value?: string | undefined;
}

/** A day (UTC) that a list begins or ends with. It applies when it is left: half a date is a date to the browser. */
export function DayFilter({ name, label, value = "" }: Props) {
  return (
    <label className="flex items-center gap-1.5 text-[13px] text-muted">
      {label}
      <input
        type="date"
        name={name}
        defaultValue={value}
        key={value}
        onBlur={({ currentTarget }) => currentTarget.value !== value && currentTarget.form?.requestSubmit()}
        className={`${inputClass} w-auto ${value ? "border-ink" : ""}`}
      />
    </label>
  );
}
