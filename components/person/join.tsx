"use client";

import { ConfirmButton, ReasonField } from "@/components/ui/confirm";
import { CheckField, Field } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import type { FormAction } from "@/lib/contract/form-state";

/** Joins another id of the same person. */
export function JoinUids({ action, appId, uid }: { action: FormAction<void>; appId: string; uid: string }) {
  return (
    <ConfirmButton
      label="Join another ID"
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, uid }}
      title="Join another ID of this user?"
      description={
        <p>
          Use this when one person has two IDs, for example after a new installation. A purchase or a refund
          that names an ID without a code then finds the referral of the other, and events that waited are
          applied now: a purchase confirms and may earn a reward. Of two places in line, one ends, and a
          decision about a redemption beyond a limit holds for both. Metacodes, counts and rewards stay with
          the ID that has them, and are not added up. This cannot be undone.
        </p>
      }
      submit="Join IDs"
      done="IDs joined"
    >
      <Field
        label="The other ID"
        name="otherUid"
        required
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
      />
      <ReasonField placeholder="Reinstalled the app" />
      <CheckField
        label="Join anyway"
        name="keepApart"
        value="true"
        hint="Tick this only if both IDs have a metacode, or if nothing is known about the other ID. If a reward is missing afterwards, a member can grant a goodwill reward on the referrer’s page."
      />
    </ConfirmButton>
  );
}

/** A link from an unknown ID to the known one that was probably meant. */
export function MeantUid({ base, uid }: { base: string; uid: string }) {
  return (
    <>
      Did you mean{" "}
      <Link href={`${base}/people?uid=${encodeURIComponent(uid)}`} className="underline wrap-anywhere">
        {uid}
      </Link>
      ?{" "}
    </>
  );
}
