"use client";

import { ErrorNote } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";
import { FIELD_NAMES } from "./campaign-fields";
import { PLATFORM_FIELD_NAMES } from "./platform-fields";
import { RULE_FIELD_NAMES } from "./rule-fields";

const NAMES = { ...FIELD_NAMES, ...PLATFORM_FIELD_NAMES, ...RULE_FIELD_NAMES };

/** The error of a campaign's form, shown at its button even if its field shows it, because the field may be off-screen. */
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
