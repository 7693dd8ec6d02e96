"use client";

import { Search } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useTransition } from "react";
import { type Choice, inputClass } from "./field";

/**
 * The filters of a list, kept in the address bar: a choice applies at once, text on Enter. Without scripts it is an
 * ordinary GET form. A new filter begins at the first page again, because the cursor is no field of it.
 */
export function Filters({ children }: { children: ReactNode }) {
  const router = useRouter();
  const path = usePathname();
  const [pending, start] = useTransition();
  const apply = (form: HTMLFormElement) => {
    const given = [...new FormData(form)].filter((pair): pair is [string, string] => pair[1] !== "");
    const search = new URLSearchParams(given).toString();
    start(() => router.replace(search === "" ? path : `${path}?${search}`, { scroll: false }));
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    apply(event.currentTarget);
  };
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    if (event.target instanceof HTMLSelectElement) apply(event.currentTarget);
  };
  return (
    <search>
      <form
        onSubmit={onSubmit}
        onChange={onChange}
        aria-busy={pending || undefined}
        className="flex flex-wrap items-center gap-2 aria-busy:opacity-70"
      >
        {children}
        <button type="submit" className="sr-only">
          Apply the filters
        </button>
      </form>
    </search>
  );
}

interface SearchProps {
  name: string;
  label: string;
  value?: string | undefined;
  placeholder?: string;
}

/** The text that is looked for; Enter applies it. */
export function SearchBox({ name, label, value, placeholder }: SearchProps) {
  return (
    <span className="relative min-w-56 flex-1 sm:max-w-sm">
      <Search
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
        aria-hidden
      />
      <input
        type="search"
        name={name}
        aria-label={label}
        defaultValue={value}
        key={value}
        placeholder={placeholder ?? label}
        autoComplete="off"
        className={`${inputClass} pl-8`}
      />
    </span>
  );
}

interface FilterProps {
  name: string;
  label: string;
  value?: string | undefined;
  choices: readonly Choice[];
  /** What stands for "no filter". */
  all: string;
}

/** One of several values, or all. */
export function Filter({ name, label, value, choices, all }: FilterProps) {
  return (
    <select
      name={name}
      aria-label={label}
      defaultValue={value ?? ""}
      key={value}
      className={`${inputClass} w-auto! max-w-48 ${value ? "border-ink" : ""}`}
    >
      <option value="">{all}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.name}
        </option>
      ))}
    </select>
  );
}
