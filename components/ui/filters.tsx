"use client";

import { Check, Link2, Search } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { type FormEvent, type ReactNode, useTransition } from "react";
import { Button } from "./button";
import { useCopy } from "./copy-button";
import { type Choice, inputClass } from "./field";

/**
 * The filters of a list, stored in the address. A choice applies at once, text on Enter; without scripts this is a
 * plain GET form. A changed filter returns to the first page, because the cursor is not one of its fields.
 */
export function Filters({ children }: { children: ReactNode }) {
  const router = useRouter();
  const path = usePathname();
  const [pending, start] = useTransition();
  const apply = (form: HTMLFormElement) => {
    const filled = [...new FormData(form)].filter((pair): pair is [string, string] => pair[1] !== "");
    const search = new URLSearchParams(filled).toString();
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
          Apply filters
        </button>
        <CopyView />
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

/** A search text, applied on Enter. */
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
  /** The label of "no filter". */
  all: string;
}

/** A filter by one of several values. */
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

/** The first and the last day, in UTC like the figures. */
export function DayFields({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  const look = `${inputClass} w-auto!`;
  return (
    <>
      <input
        type="date"
        name="from"
        aria-label="First day, UTC"
        defaultValue={from}
        key={`from ${from}`}
        className={look}
      />
      <input
        type="date"
        name="to"
        aria-label="Last day, UTC"
        defaultValue={to}
        key={`to ${to}`}
        className={look}
      />
      <Button type="submit" variant="secondary" size="sm">
        Apply
      </Button>
    </>
  );
}

/** Copies the address of the list with its filters and order, from the first page on: to be bookmarked or sent. */
function CopyView() {
  const chosen = new URLSearchParams(useSearchParams());
  chosen.delete("cursor");
  const search = chosen.toString();
  const { copied, copy } = useCopy(
    async () => `${window.location.origin}${window.location.pathname}?${search}`,
  );
  if (search === "") return null;
  return (
    <Button type="button" variant="ghost" size="sm" onClick={copy}>
      {copied ? <Check className="size-4" aria-hidden /> : <Link2 className="size-4" aria-hidden />}
      {copied ? "Link copied" : "Copy link"}
    </Button>
  );
}
