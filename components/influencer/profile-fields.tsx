import { Field, TextareaField } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";
import type { InfluencerView } from "@/lib/contract/influencer-view";

interface Props {
  influencer?: Pick<InfluencerView, "name" | "handle" | "notes">;
  state: FormState;
}

/** The fields that show their own errors. */
export const INFLUENCER_FIELDS = ["metacode", "name", "handle", "notes", "uid"];

/** Who an influencer is. */
export function ProfileFields({ influencer, state }: Props) {
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
