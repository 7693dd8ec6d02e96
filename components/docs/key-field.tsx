"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, FormError, HiddenFields, SelectField } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { isSandboxKey, storeSandboxKey, useSandboxKey } from "./sandbox-key";

/** How the reader gets a sandbox key. */
export interface KeySource {
  /** Sandbox apps for which the reader may create a key; undefined for a visitor who is not signed in. */
  apps: readonly { id: string; name: string }[] | undefined;
  create: FormAction<{ key: string }>;
}

/** The reader's sandbox key: created here by a member, or pasted. */
export function KeyField({ apps, create }: KeySource) {
  const key = useSandboxKey();
  if (key !== "")
    return (
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span>
          Sandbox key <code className="font-mono text-note">mc_test_…{key.slice(-4)}</code>, stored in this
          tab until you close it
        </span>
        <Button size="sm" variant="secondary" onClick={() => storeSandboxKey("")}>
          Forget key
        </Button>
      </p>
    );
  return (
    <div className="grid gap-4">
      {apps && apps.length > 0 && <CreateSandboxKey apps={apps} create={create} />}
      <PasteKey hint={hintFor(apps)} />
    </div>
  );
}

function hintFor(apps: KeySource["apps"]): string {
  const stored = "Stored in this tab until you close it.";
  if (apps === undefined) return `${stored} Sign in to create one here.`;
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

function PasteKey({ hint }: { hint: string }) {
  const [error, setError] = useState("");
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("key")).trim();
    if (isSandboxKey(text)) storeSandboxKey(text);
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
