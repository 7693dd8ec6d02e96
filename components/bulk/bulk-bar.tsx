"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm";
import { toast } from "@/components/ui/toast";
import { BULK_FORM, type BulkOutcome } from "@/lib/contract/bulk";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount } from "@/lib/contract/format";
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
  /** A text that must be typed before something is lost forever. */
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

const BAR =
  "fixed inset-x-0 bottom-4 z-20 mx-auto grid w-fit max-w-[calc(100vw-2rem)] gap-2 rounded-xl border border-line bg-raised py-2 pr-2 pl-4 shadow-2xl";

/** The actions for the chosen rows of a list, always in sight, even in a long list. */
export function BulkBar({ hidden, noun, actions }: Props) {
  const { chosen, chooseAll, clear } = useChosenRows();
  const [failed, setFailed] = useState<{ id: string; line: string }[]>([]);
  const count = chosen.ids.length;
  const finish = ({ done, failed: refused }: BulkOutcome, verb: string) => {
    setFailed(refused.map(({ id, message }) => ({ id, line: `${chosen.labels[id] ?? id}: ${message}` })));
    if (done > 0) toast(`${formatCount(done, ...noun)} ${verb}`);
    chooseAll(false);
  };
  const close = () => {
    setFailed([]);
    clear();
  };
  return (
    // Off-screen while it is empty, so that screen readers announce the first row.
    <section
      aria-label="Selected rows"
      className={count > 0 || failed.length > 0 ? `${BAR} ${failed.length > 0 ? "mb-14" : ""}` : "sr-only"}
    >
      {/* Empty, because the dialogs have their own forms: it only connects the checkboxes. */}
      <form id={BULK_FORM} hidden />
      <div role="alert" className="empty:hidden">
        {failed.length > 0 && (
          <div className="grid gap-1 rounded-md bg-warn-soft px-3 py-2 text-note text-warn">
            <p className="font-medium">{formatCount(failed.length, ...noun)} not changed</p>
            <ul
              aria-label="Not changed"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reachable by keyboard
              tabIndex={0}
              className="grid max-h-40 gap-1 overflow-y-auto"
            >
              {failed.map(({ id, line }) => (
                <li key={id}>{line}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span role="status" className="mr-2 tabular-nums">
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
        {(count > 0 || failed.length > 0) && (
          <Button variant="ghost" size="sm" onClick={close} className="ml-auto">
            {count > 0 ? "Clear" : "Close"}
          </Button>
        )}
      </div>
    </section>
  );
}
