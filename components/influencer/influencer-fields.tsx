"use client";

import { useState } from "react";
import { type CheckMetacode, MetacodeHint, useMetacodeState } from "@/components/referrer/metacode-state";
import { Field, TextareaField } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";
import type { InfluencerView } from "@/lib/contract/influencer-view";

interface Props {
  appId: string;
  /** The referrer whose current metacode counts as available. */
  referrerId?: string | undefined;
  value?: string;
  check: CheckMetacode;
  state: FormState;
}

/** A chosen metacode, looked up while it is typed. Only sending the form decides whether it is free. */
export function MetacodeField({ appId, referrerId, value = "", check, state }: Props) {
  const [text, setText] = useState(value);
  const known = useMetacodeState(check, { appId, referrerId }, text);
  return (
    <Field
      label="Metacode"
      name="metacode"
      value={text}
      onChange={({ target }) => setText(target.value)}
      maxLength={60}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
      state={state}
      hint={<MetacodeHint known={known}>4 to 32 letters a-z and digits. The link ends with it.</MetacodeHint>}
    />
  );
}

interface ProfileProps {
  influencer?: Pick<InfluencerView, "name" | "handle" | "notes">;
  state: FormState;
}

/** The fields that show their own errors. */
export const INFLUENCER_FIELDS = ["metacode", "name", "handle", "notes", "uid"];

/** Name, handle and notes of an influencer. */
export function ProfileFields({ influencer, state }: ProfileProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Name"
          name="name"
          defaultValue={influencer?.name ?? ""}
          maxLength={80}
          autoComplete="off"
          optional
          state={state}
          hint="Shown on the landing page."
        />
        <Field
          label="Handle"
          name="handle"
          defaultValue={influencer?.handle ?? ""}
          maxLength={80}
          autoComplete="off"
          placeholder="@anna"
          optional
          state={state}
        />
      </div>
      <TextareaField
        label="Notes"
        name="notes"
        defaultValue={influencer?.notes ?? ""}
        maxLength={2_000}
        rows={3}
        optional
        state={state}
        hint="For your team only."
      />
    </>
  );
}
