"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import type { FormAction } from "@/lib/contract/form-state";
import { type EditedPool, PoolForm } from "./pool-form";

interface Props {
  appId: string;
  pool: EditedPool;
  change: FormAction<void>;
  remove: FormAction<void>;
}

/** What may be done with a pool. */
export function PoolMenu({ appId, pool, change, remove }: Props) {
  const [open, setOpen] = useState<"change" | "remove">();
  const router = useRouter();
  const close = () => setOpen(undefined);
  const changed = () => {
    close();
    toast("The pool was changed");
  };
  return (
    <>
      <Menu label={`Actions for ${pool.name}`}>
        <MenuItem onSelect={() => setOpen("change")}>Name and low-stock alert…</MenuItem>
        <MenuLine />
        <MenuItem tone="danger" onSelect={() => setOpen("remove")}>
          Delete…
        </MenuItem>
      </Menu>
      <Dialog open={open === "change"} onClose={close} title={`Change “${pool.name}”`}>
        <PoolForm action={change} appId={appId} pool={pool} onDone={changed} onCancel={close} />
      </Dialog>
      <ConfirmDialog
        open={open === "remove"}
        onClose={close}
        action={remove}
        hidden={{ appId, poolId: pool.id }}
        title={`Delete “${pool.name}”?`}
        description={
          <p>Only an empty pool that no campaign takes codes from can be deleted. This cannot be undone.</p>
        }
        submit="Delete pool"
        danger
        done="The pool was deleted"
        onDone={() => router.push(`/dashboard/apps/${appId}/codes`)}
      />
    </>
  );
}
