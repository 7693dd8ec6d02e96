"use client";

import type { ReactNode } from "react";
import { SelectField } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";
import { PLATFORM_NAME } from "@/lib/contract/format";
import type { PoolName } from "@/lib/contract/pool";
import { POOL_USE_LABEL } from "../labels";
import { CreatePool, type CreatePoolProps } from "../pool-form";

interface Props {
  pools: readonly PoolName[];
  value: string;
  onChange: (poolId: string) => void;
  state: FormState;
  create: Pick<CreatePoolProps, "action" | "appId">;
  hint?: ReactNode;
}

/** The pool for the imported codes, or a new one. */
export function PoolSelect({ pools, value, onChange, state, create, hint }: Props) {
  const choices = pools.map(({ id, name, platform, use }) => ({
    value: id,
    name: `${name} (${PLATFORM_NAME[platform]}, ${POOL_USE_LABEL[use].toLowerCase()})`,
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
        <CreatePool {...create} onCreated={onChange} />
      </div>
    </div>
  );
}
