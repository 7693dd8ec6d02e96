"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, FormError, HiddenFields, SelectField } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import {
  ForgetAccountKey,
  forgetSandboxKey,
  isSandboxKey,
  storeSandboxKey,
  useSandboxKey,
} from "./sandbox-key";

/** How the reader gets a sandbox key. */
export interface KeySource {
  /** Sandbox apps for which the reader may create a key; undefined for a visitor who is not signed in. */
  apps: readonly { id: string; name: string }[] | undefined;
  create: FormAction<{ key: string }>;
}

/** The reader's sandbox key: created here or elsewhere in the dashboard by a member, or pasted. */
export function KeyField({ apps, create }: KeySource) {
  const key = useSandboxKey();
  const signedIn = apps !== undefined;
  if (key !== "")
    return (
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span>
          Sandbox key <code className="font-mono text-note">mc_test_…{key.slice(-4)}</code>,{" "}
          {signedIn ? KEPT.account : KEPT.visitor}
        </span>
        <Button size="sm" variant="secondary" onClick={forgetSandboxKey}>
          Forget key
        </Button>
        {!signedIn && <ForgetAccountKey />}
      </p>
    );
  return (
    <div className="grid gap-4">
      {apps && apps.length > 0 && <CreateSandboxKey apps={apps} create={create} />}
      <PasteKey hint={hintFor(apps)} signedIn={signedIn} />
    </div>
  );
}

const KEPT = {
  account: "stored in this browser until you sign out",
  visitor: "stored in this tab until you close it",
};

function hintFor(apps: KeySource["apps"]): string {
  if (apps === undefined) return "Stored in this tab until you close it. Sign in to create one here.";
  const stored = "Stored in this browser until you sign out.";
  return apps.length === 0 ? `${stored} Create a sandbox app in the dashboard first.` : stored;
}

function CreateSandboxKey({
  apps,
  create,
}: { apps: NonNullable<KeySource["apps"]> } & Pick<KeySource, "create">) {
  const { state, pending, props } = useForm(create, ({ key }) => storeSandboxKey(key));
  return (
    <form {...props} className="grid gap-2">
      <HiddenFields values={{ name: "API reference", access: "full" }} />
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-48 flex-1">
          <SelectField
            label="Sandbox app"
            name="appId"
            choices={apps.map(({ id, name }) => ({ value: id, name }))}
          />
        </div>
        <Button type="submit" pending={pending}>
          Create sandbox key
        </Button>
      </div>
      <FormError state={state} />
    </form>
  );
}

function PasteKey({ hint, signedIn }: { hint: string; signedIn: boolean }) {
  const [error, setError] = useState("");
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("key")).trim();
    if (isSandboxKey(text)) storeSandboxKey(text, signedIn);
    else setError("Use the key of a sandbox app. It begins with mc_test_.");
  };
  return (
    <form onSubmit={onSubmit} className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field
          label="Sandbox key"
          name="key"
          autoComplete="off"
          spellCheck={false}
          placeholder="mc_test_…"
          hint={hint}
          {...(error && { state: { error: { field: "key", message: error } } })}
        />
      </div>
      <Button type="submit" variant="secondary" className="mt-6.5 pointer-coarse:h-11">
        Use key
      </Button>
    </form>
  );
}
