"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, FormError } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { ExpiresField } from "../change-batch";
import type { NewPoolProps } from "../new-pool";
import type { PoolChoice } from "../types";
import { PoolSelect } from "./pool-select";

interface Props {
  appId: string;
  pools: readonly PoolChoice[];
  poolId: string;
  createPool: NewPoolProps["action"];
  action: FormAction<{ batchId: string | null }>;
}

/** One text that many people redeem, up to the limit that the store was told. */
export function CustomForm({ appId, pools, poolId, createPool, action }: Props) {
  const router = useRouter();
  const [pool, setPool] = useState(poolId);
  const { state, pending, props } = useForm(action, ({ batchId }) => {
    toast("The code was added");
    router.push(`/dashboard/apps/${appId}/codes/batches/${batchId}`);
  });
  const android = pools.find(({ id }) => id === pool)?.platform === "android";
  return (
    // The pool's own form opens in a dialog, and forms do not nest: its buttons stand outside of this one.
    <div className="grid gap-5">
      <PoolSelect
        pools={pools}
        value={pool}
        onChange={setPool}
        state={state}
        create={{ action: createPool, appId }}
        hint={android ? "Google Play takes custom codes only inside your app, never by a link." : undefined}
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
            hint="As the store has it."
            state={state}
          />
          <Field
            label="How often"
            name="limit"
            required
            inputMode="numeric"
            placeholder="5000"
            hint="The limit that the store was told, up to 99,999."
            state={state}
          />
          <Field label="Offer" name="offer" optional maxLength={80} autoComplete="off" state={state} />
          <ExpiresField state={state} />
        </div>
        <FormError state={state} fields={["poolId", "code", "limit", "offer", "expiresAt"]} />
        <div>
          <Button type="submit" pending={pending}>
            Add the code
          </Button>
        </div>
      </form>
    </div>
  );
}
