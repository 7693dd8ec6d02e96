"use client";

import { usePathname } from "next/navigation";
import { Link } from "@/components/ui/link";

interface Props {
  label: string;
  tabs: readonly { href: string; name: string }[];
}

/** Links between pages that belong together. */
export function Tabs({ label, tabs }: Props) {
  const path = usePathname();
  return (
    <nav
      aria-label={label}
      className="relative flex gap-1 overflow-x-auto border-b border-line max-sm:flex-wrap"
    >
      {tabs.map(({ href, name }) => (
        <Link
          key={href}
          href={href}
          aria-current={path === href ? "page" : undefined}
          className="-mb-px rounded-t-md border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-muted hover:text-ink aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

interface ToggleProps<Value extends string> {
  label: string;
  choices: readonly { value: Value; name: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Buttons of which one is pressed, for several views of one thing. */
export function Toggle<Value extends string>({ label, choices, value, onChange }: ToggleProps<Value>) {
  return (
    <fieldset className="flex rounded-md bg-subtle p-0.5" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
          className="h-7 rounded-sm px-2.5 text-note text-muted aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-xs pointer-coarse:h-9"
        >
          {choice.name}
        </button>
      ))}
    </fieldset>
  );
}
