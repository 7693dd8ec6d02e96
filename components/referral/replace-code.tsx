"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import { Field } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<{ code: string }>;
  appId: string;
  assignmentId: string;
  /** Who has the code. */
  holder: "referee" | "referrer";
  ariaLabel?: string;
}

/** Exchanges a dead code, after saying what that does. */
export function ReplaceCode({ action, appId, assignmentId, holder, ariaLabel }: Props) {
  return (
    <ConfirmButton
      label="Replace code"
      {...(ariaLabel && { ariaLabel })}
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, assignmentId }}
      title="Replace this code?"
      description={
        <>
          <p>
            The {holder} gets another code of the same pool, and the present one becomes void here. The store
            is not told: a code that still works there can be redeemed as well.
          </p>
          <p>
            Your app shows the new code when it asks again within the retry window. A code can be replaced
            once, which cannot be undone.
          </p>
        </>
      }
      submit="Replace code"
      danger
      done="The code was replaced"
    >
      <Field
        label="Why"
        name="reason"
        required
        maxLength={80}
        placeholder="The store says it has expired"
        autoComplete="off"
      />
    </ConfirmButton>
  );
}
