import { Command } from "cmdk";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** Entries under a heading. */
export function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  icon?: LucideIcon;
  value: string;
  note?: string;
  onSelect: () => void;
  children: ReactNode;
}

/** Something that can be chosen; it is found by `value`. */
export function Item({ icon: Icon, value, note, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm data-[selected=true]:bg-subtle"
    >
      {Icon && <Icon className="size-4 shrink-0 text-muted" aria-hidden />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {note && <span className="truncate text-[13px] text-muted">{note}</span>}
    </Command.Item>
  );
}
