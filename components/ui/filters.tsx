"use client";

import { Check, Link2, Search } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useTransition } from "react";
import { Button } from "./button";
import { useCopy } from "./copy-button";
import { type Choice, inputClass } from "./field";
import { confirmLeaving, forgetInput, hasUnsaved, openOnline } from "./unsaved";

/**
 * The filters of a list, stored in the address. A choice applies at once and text on Enter, each as a step that the
 * browser's Back undoes, and each returns to the first page, because the form has no cursor. Without scripts this is a
 * plain GET form.
 */
export function Filters({ children }: { children: ReactNode }) {
  const router = useRouter();
  const path = usePathname();
  const [pending, start] = useTransition();
  const apply = (form: HTMLFormElement) => {
    const filled = [...new FormData(form)].filter((pair): pair is [string, string] => pair[1] !== "");
    const search = new URLSearchParams(filled).toString();
    const href = search === "" ? path : `${path}?${search}`;
    // Unchanged filters load the list again without a further step in the history.
    const same = href === window.location.pathname + window.location.search;
    const open = () =>
      void openOnline(() => start(() => router[same ? "replace" : "push"](href, { scroll: false })));
    if (!hasUnsaved()) return open();
    // Restores the filters that the list has, in case the reader stays.
    form.reset();
    confirmLeaving(() => {
      forgetInput();
      open();
    });
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

/**
 * Shows the value of the address in an uncontrolled input, also after a step back. A new `key` would replace the input and
 * lose the focus.
 */
function useAddressValue<Control extends { value: string }>(value = ""): RefObject<Control | null> {
  const control = useRef<Control>(null);
  useEffect(() => {
    if (control.current) control.current.value = value;
  }, [value]);
  return control;
}

interface SearchProps {
  name: string;
  label: string;
  value?: string | undefined;
  placeholder?: string;
}

/** A search text, applied on Enter. */
export function SearchBox({ name, label, value, placeholder }: SearchProps) {
  const input = useAddressValue<HTMLInputElement>(value);
  return (
    <span className="relative min-w-56 flex-1 max-sm:basis-full sm:max-w-sm">
      <Search
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
        aria-hidden
      />
      <input
        ref={input}
        type="search"
        name={name}
        aria-label={label}
        defaultValue={value}
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
  const select = useAddressValue<HTMLSelectElement>(value);
  return (
    <select
      ref={select}
      name={name}
      aria-label={label}
      defaultValue={value ?? ""}
      className={`${inputClass} w-auto! max-w-48 field-sizing-content ${value ? "border-ink" : ""}`}
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
  return (
    <>
      <DayField name="from" label="First day, UTC" value={from} />
      <DayField name="to" label="Last day, UTC" value={to} />
      <Button type="submit" variant="secondary" size="sm">
        Apply
      </Button>
    </>
  );
}

function DayField({ name, label, value }: Omit<SearchProps, "placeholder">) {
  const input = useAddressValue<HTMLInputElement>(value);
  return (
    <input
      ref={input}
      type="date"
      name={name}
      aria-label={label}
      defaultValue={value}
      className={`${inputClass} w-auto!`}
    />
  );
}

/** Copies the address of the list's first page with its filters and order, to bookmark or send. */
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
