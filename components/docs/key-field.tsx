"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, FormError, HiddenFields, SelectField } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { forgetSandboxKey, isSandboxKey, useSandboxKey } from "./sandbox-key";

/** The sources of a sandbox key for the reader. */
export interface KeySource {
  /** Sandbox apps for which the reader may create a key; undefined while the database is away. */
  apps?: readonly { id: string; name: string }[];
  create: FormAction<{ key: string }>;
}

/** The reader's sandbox key: created by an admin here or in the dashboard, or pasted. */
export function KeyField({ apps, create }: KeySource) {
  const { key, signedIn, store } = useSandboxKey();
  const [stored, missing] = signedIn ? ACCOUNT : VISITOR;
  if (key !== "")
    return (
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span>
          Sandbox key <code className="font-mono text-note">mc_test_…{key.slice(-4)}</code>, {stored}
        </span>
        <Button size="sm" variant="secondary" onClick={forgetSandboxKey}>
          Forget key
        </Button>
      </p>
    );
  return (
    <div className="grid gap-4">
      {apps && apps.length > 0 && <CreateSandboxKey apps={apps} create={create} store={store} />}
      <PasteKey hint={`The key is ${stored}.${apps?.length === 0 ? ` ${missing}` : ""}`} store={store} />
    </div>
  );
}

/** The place where a key is stored, and the first step of a reader without sandbox apps. */
const ACCOUNT = ["stored in this browser until you sign out", "Create a sandbox app in the dashboard first."];
const VISITOR = ["stored in this tab until you close it", "Sign in to create one here."];

interface Store {
  store: (key: string) => void;
}

function CreateSandboxKey({ apps, create, store }: Required<KeySource> & Store) {
  const { state, pending, props } = useForm(create, ({ key }) => store(key));
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

function PasteKey({ hint, store }: { hint: string } & Store) {
  const [error, setError] = useState("");
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("key")).trim();
    if (isSandboxKey(text)) store(text);
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
