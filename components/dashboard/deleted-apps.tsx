"use client";

import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/field";
import { RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface DeletedApp {
  id: string;
  name: string;
  workspaceId: string;
  goneAt: Date;
}

/** Recently deleted apps, each with a button that restores it. */
export function DeletedApps({ action, apps }: { action: FormAction<void>; apps: DeletedApp[] }) {
  if (apps.length === 0) return null;
  return (
    <ul
      aria-label="Deleted apps"
      className="divide-y divide-line rounded-xl border border-dashed border-line"
    >
      {apps.map((app) => (
        <DeletedAppRow key={app.id} action={action} app={app} />
      ))}
    </ul>
  );
}

function DeletedAppRow({ action, app }: { action: FormAction<void>; app: DeletedApp }) {
  const { state, pending, props } = useForm(action, () => toast(`“${app.name}” was restored`));
  return (
    <li className="px-4 py-3">
      <form {...props} className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <input type="hidden" name="workspaceId" value={app.workspaceId} />
        <input type="hidden" name="appId" value={app.id} />
        <span className="text-muted">
          <strong className="font-medium text-ink">{app.name}</strong> was deleted. Its data is erased{" "}
          <RelativeTime at={app.goneAt} />.
        </span>
        <Button
          type="submit"
          variant="secondary"
          size="sm"
          pending={pending}
          aria-label={`Restore ${app.name}`}
        >
          Restore
        </Button>
        <FormError state={state} />
      </form>
    </li>
  );
}
