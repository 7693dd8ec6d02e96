"use client";

import { type ReactNode, useState } from "react";
import { ConfirmButton } from "@/components/ui/confirm";
import { toast } from "@/components/ui/toast";
import type { BulkOutcome } from "@/lib/contract/bulk";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount } from "@/lib/contract/format";
import { BULK_FORM } from "./row-check";
import { useChosenRows } from "./use-chosen-rows";

/** An action for the chosen rows. */
interface BulkAction {
  action: FormAction<BulkOutcome>;
  label: string;
  /** The consequences, and whether they can be undone. */
  description: string;
  /** Completes "3 referrals …", such as `reversed`. */
  done: string;
  danger?: boolean;
  /** A text that must be typed first, when something is lost for good. */
  typed?: string;
  /** Fields of the dialog. */
  children?: ReactNode;
}

interface Props {
  /** Ids sent with every action. */
  hidden: Record<string, string>;
  /** Singular and plural of the rows. */
  noun: readonly [string, string];
  actions: readonly BulkAction[];
}

/** Why a row did not change, with its label unless the message names it. */
const reasonOf = (label: string, message: string) =>
  message.startsWith(`"${label}"`) ? message : `${label}: ${message}`;

/** Chooses rows of the list below, and acts on all of them at once. */
export function BulkBar({ hidden, noun, actions }: Props) {
  const { chosen, chooseAll } = useChosenRows();
  const [failed, setFailed] = useState<{ id: string; line: string }[]>([]);
  const count = chosen.ids.length;
  const finish = ({ done, failed: refused }: BulkOutcome, verb: string) => {
    setFailed(refused.map(({ id, message }) => ({ id, line: reasonOf(chosen.labels[id] ?? id, message) })));
    if (done > 0) toast(`${formatCount(done, ...noun)} ${verb}`);
    chooseAll(false);
  };
  return (
    <section aria-label="Selected rows" className="grid gap-2">
      {/* Dialogs hold forms of their own, so this one is empty: it only connects the checkboxes. */}
      <form id={BULK_FORM} hidden />
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2 text-sm">
        <label className="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={chosen.all}
            onChange={(event) => chooseAll(event.target.checked)}
            className="size-4 accent-ink"
          />
          Select all on this page
        </label>
        <span role="status" className="text-muted tabular-nums">
          {count > 0 && `${formatCount(count, ...noun)} selected`}
          {chosen.all && chosen.capped && ", the most that can change at once"}
        </span>
        {count > 0 &&
          actions.map(({ label, description, done, danger = false, typed, action, children }) => (
            <ConfirmButton
              key={label}
              label={label}
              ariaLabel={`${label}: ${formatCount(count, ...noun)}`}
              look={{ size: "sm" }}
              action={action}
              hidden={hidden}
              title={`${label}: ${formatCount(count, ...noun)}`}
              description={<p>{description}</p>}
              submit={label}
              danger={danger}
              typed={typed}
              onDone={(outcome) => finish(outcome, done)}
            >
              {chosen.ids.map((id) => (
                <input key={id} type="hidden" name="ids[]" value={id} />
              ))}
              {children}
            </ConfirmButton>
          ))}
      </div>
      <div role="alert" className="empty:hidden">
        {failed.length > 0 && (
          <ul
            aria-label="Not changed"
            className="grid gap-1 rounded-md bg-warn-soft px-3 py-2 text-note text-warn"
          >
            {failed.map(({ id, line }) => (
              <li key={id}>{line}</li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
