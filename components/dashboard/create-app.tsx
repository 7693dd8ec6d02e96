"use client";

import { Plus } from "lucide-react";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, inputClass } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<never>;
  workspaces: { id: string; name: string }[];
}

/** The button that opens the form for a new app. */
export function CreateApp(props: Props) {
  return (
    <DialogButton
      label="Create app"
      icon={Plus}
      title="Create an app"
      description="Create one for each of your apps in the stores."
    >
      {(close) => <CreateAppForm {...props} onCancel={close} />}
    </DialogButton>
  );
}

function CreateAppForm({ action, workspaces, onCancel }: Props & { onCancel: () => void }) {
  const { state, pending, props } = useForm(action);
  return (
    <form {...props} className="grid gap-4">
      <WorkspaceField workspaces={workspaces} />
      <Field label="Name" name="name" required maxLength={80} autoComplete="off" state={state} />
      <Field
        label="Apple app ID"
        name="appleAppId"
        inputMode="numeric"
        placeholder="1234567890"
        hint="The number in apps.apple.com/app/id…"
        optional
        state={state}
      />
      <Field
        label="Android package"
        name="androidPackage"
        placeholder="com.example.app"
        optional
        state={state}
      />
      <label className="flex gap-3 rounded-lg border border-line p-3.5 text-sm">
        <input type="checkbox" name="sandbox" className="mt-0.5 size-4 accent-accent" />
        <span className="grid gap-0.5">
          <span className="font-medium">Sandbox</span>
          <span className="text-[13px] text-muted">
            For development: keys start with mc_test_ and test purchases count. You cannot change this later.
          </span>
        </span>
      </label>
      <FormError state={state} fields={["name", "appleAppId", "androidPackage"]} />
      <FormActions submit="Create app" pending={pending} onCancel={onCancel} />
    </form>
  );
}

function WorkspaceField({ workspaces }: Pick<Props, "workspaces">) {
  const [only] = workspaces;
  if (workspaces.length === 1) return <input type="hidden" name="workspaceId" value={only?.id} />;
  return (
    <label className="grid gap-1.5 text-sm font-medium">
      Workspace
      <select name="workspaceId" className={inputClass}>
        {workspaces.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
