"use client";

import { useRouter } from "next/navigation";
import { Dialog } from "@/components/ui/dialog";
import { deleteAction, ResourceMenu } from "@/components/ui/resource-menu";
import { toast } from "@/components/ui/toast";
import type { FormAction } from "@/lib/contract/form-state";
import type { EditedPool } from "@/lib/contract/pool";
import { PoolForm } from "./pool-form";

interface Props {
  appId: string;
  pool: EditedPool;
  update: FormAction<void>;
  remove: FormAction<void>;
}

/** The actions for a pool. */
export function PoolMenu({ appId, pool, update, remove }: Props) {
  const router = useRouter();
  return (
    <ResourceMenu
      label={`Actions for ${pool.name}`}
      actions={[
        {
          label: "Edit",
          dialog: ({ open, onClose }) => {
            const onDone = () => {
              onClose();
              toast("Pool saved");
            };
            return (
              <Dialog open={open} onClose={onClose} title={`Edit “${pool.name}”`}>
                <PoolForm action={update} appId={appId} pool={pool} onDone={onDone} onCancel={onClose} />
              </Dialog>
            );
          },
        },
        deleteAction({
          hidden: { appId, poolId: pool.id },
          action: remove,
          name: `“${pool.name}”`,
          noun: "pool",
          description: "Only an empty pool that no campaign uses can be deleted. This cannot be undone.",
          done: "Pool deleted",
          onDone: () => router.push(`/dashboard/apps/${appId}/codes`),
        }),
      ]}
    />
  );
}
