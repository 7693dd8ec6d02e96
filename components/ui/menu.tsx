"use client";

import * as Dropdown from "@radix-ui/react-dropdown-menu";
import { Ellipsis } from "lucide-react";
import { type ReactNode, useState } from "react";

const ITEM =
  "flex min-h-9 w-full items-center gap-2 rounded-md px-2.5 text-left text-sm outline-none select-none " +
  "data-disabled:opacity-50 data-highlighted:bg-subtle";

interface Props {
  /** The name of the menu for screen readers. */
  label: string;
  /** Replaces the three dots by a control with a visible label. */
  trigger?: ReactNode;
  children: ReactNode;
}

/** A menu of less common actions. Not modal, because its scroll lock needs a style that the page's policy refuses. */
export function Menu({ label, trigger, children }: Props) {
  // All content of a page must be inside a landmark. Looked up at each opening, because another page has another `main`.
  const [main, setMain] = useState<HTMLElement | null>(null);
  return (
    <Dropdown.Root modal={false} onOpenChange={() => setMain(document.querySelector("main"))}>
      <Dropdown.Trigger
        aria-label={trigger ? undefined : label}
        className={
          trigger
            ? "min-w-0 rounded-md"
            : "relative z-10 inline-grid size-8 place-items-center align-middle rounded-md text-muted hover:bg-subtle hover:text-ink data-[state=open]:bg-subtle"
        }
      >
        {trigger ?? <Ellipsis className="size-4" aria-hidden />}
      </Dropdown.Trigger>
      <Dropdown.Portal container={main}>
        <Dropdown.Content
          align="end"
          sideOffset={6}
          className="z-40 min-w-48 rounded-xl border border-line bg-raised p-1.5 text-ink shadow-xl"
        >
          {children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

interface ItemProps {
  onSelect: () => void;
  disabled?: boolean;
  tone?: "plain" | "danger";
  children: ReactNode;
}

/** One action of a menu. A dialog that it opens returns the focus to the menu's button, because the item is gone by then. */
export function MenuItem({ onSelect, disabled = false, tone = "plain", children }: ItemProps) {
  return (
    <Dropdown.Item
      onSelect={({ currentTarget }) => {
        const menu = (currentTarget as HTMLElement).closest("[role=menu]");
        document.getElementById(menu?.getAttribute("aria-labelledby") ?? "")?.focus();
        onSelect();
      }}
      disabled={disabled}
      className={`${ITEM} ${tone === "danger" ? "text-bad" : ""}`}
    >
      {children}
    </Dropdown.Item>
  );
}

/** A link in a menu; `children` is the anchor. */
export function MenuLink({ children }: { children: ReactNode }) {
  return (
    <Dropdown.Item asChild className={ITEM}>
      {children}
    </Dropdown.Item>
  );
}

/** Sets destructive actions apart. */
export function MenuLine() {
  return <Dropdown.Separator className="my-1.5 h-px bg-line" />;
}
