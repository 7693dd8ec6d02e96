"use client";

import type { ReactNode } from "react";
import { SelectField } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";
import { NewPool, type NewPoolProps } from "../new-pool";
import type { PoolChoice } from "../types";
import { PLATFORM_NAME, USE_NAME } from "../words";

interface Props {
  pools: readonly PoolChoice[];
  value: string;
  onChange: (poolId: string) => void;
  state: FormState;
  create: Pick<NewPoolProps, "action" | "appId">;
  hint?: ReactNode;
}

/** The pool that codes go to, or a new one. */
export function PoolSelect({ pools, value, onChange, state, create, hint }: Props) {
  const choices = pools.map(({ id, name, platform, use }) => ({
    value: id,
    name: `${name} (${PLATFORM_NAME[platform]}, ${USE_NAME[use].toLowerCase()})`,
  }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
      <SelectField
        label="Pool"
        name="poolId"
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
        choices={[{ value: "", name: "Choose a pool" }, ...choices]}
        hint={hint}
        state={state}
      />
      <div className="pt-6.5">
        <NewPool {...create} onMade={onChange} />
      </div>
    </div>
  );
}
