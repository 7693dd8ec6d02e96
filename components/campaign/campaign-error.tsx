"use client";

import { ErrorNote } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";

/** The fields as the form names them. */
const NAMES: Record<string, string> = {
  threshold: "The number of friends",
  name: "The name",
  startsAt: "The start",
  endsAt: "The end",
  instructions: "The instructions",
  rewardCap: "The maximum rewards per referrer",
  holdDays: "The hold",
  codeBudget: "The maximum codes for referees",
  rewardBudget: "The maximum rewards",
  safetyMarginHours: "The safety margin",
};

/** The error of a campaign's form at its button, also when its field, which may be off the screen, shows it. */
export function CampaignError({ state: { error } }: { state: FormState }) {
  const field = error?.field?.split(".").at(-1) ?? "";
  const name = NAMES[field];
  const text =
    name && error?.message.startsWith(`${field} `)
      ? `${name}${error.message.slice(field.length)}`
      : error?.message;
  return (
    <div role="alert" className="empty:hidden">
      {error && text && (
        <ErrorNote error={error} text={field ? `${text.replace(/[^.]$/, "$&.")} Nothing was saved.` : text} />
      )}
    </div>
  );
}
