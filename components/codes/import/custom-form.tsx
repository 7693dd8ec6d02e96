"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, FormError, SelectField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction, FormState } from "@/lib/contract/form-state";
import { PLATFORM_NAME } from "@/lib/contract/format";
import type { PoolName } from "@/lib/contract/pool";
import { ExpiresField } from "../edit-batch";
import { POOL_USE_LABEL } from "../labels";
import { CreatePool, type CreatePoolProps } from "../pool-form";

interface Props {
  appId: string;
  pools: readonly PoolName[];
  poolId: string;
  createPool: CreatePoolProps["action"];
  action: FormAction<{ batchId: string | null }>;
}

/** Adds a custom code, which many users redeem up to the limit set in the store. */
export function CustomForm({ appId, pools, poolId, createPool, action }: Props) {
  const router = useRouter();
  const [pool, setPool] = useState(poolId);
  const { state, pending, props } = useForm(action, ({ batchId }) => {
    toast("Custom code added");
    router.push(`/dashboard/apps/${appId}/codes/batches/${batchId}`);
  });
  const android = pools.find(({ id }) => id === pool)?.platform === "android";
  return (
    // Forms do not nest, so the pool field, which has its own form, is outside this one.
    <div className="grid max-w-2xl gap-5">
      <PoolSelect
        pools={pools}
        value={pool}
        onChange={setPool}
        state={state}
        create={{ action: createPool, appId }}
        hint={
          android ? "Google Play accepts custom codes only inside your app, not through a link." : undefined
        }
      />
      <form {...props} className="grid gap-5">
        <input type="hidden" name="appId" value={appId} />
        <input type="hidden" name="poolId" value={pool} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Code"
            name="code"
            required
            maxLength={64}
            placeholder="SUMMER25"
            autoComplete="off"
            spellCheck={false}
            hint="Exactly as in the store."
            state={state}
          />
          <Field
            label="Redemption limit"
            name="limit"
            required
            inputMode="numeric"
            placeholder="5000"
            hint="The limit set in the store, up to 99,999."
            state={state}
          />
          <Field label="Offer" name="offer" optional maxLength={80} autoComplete="off" state={state} />
          <ExpiresField state={state} />
        </div>
        <FormError state={state} fields={["poolId", "code", "limit", "offer", "expiresAt"]} />
        <div>
          <Button type="submit" pending={pending}>
            Add code
          </Button>
        </div>
      </form>
    </div>
  );
}

interface PoolSelectProps {
  pools: readonly PoolName[];
  value: string;
  onChange: (poolId: string) => void;
  state: FormState;
  create: Pick<CreatePoolProps, "action" | "appId">;
  hint: ReactNode;
}

/** The pool for the imported codes, or a new one. */
function PoolSelect({ pools, value, onChange, state, create, hint }: PoolSelectProps) {
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
