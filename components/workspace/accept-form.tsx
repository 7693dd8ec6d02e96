"use client";

import Link from "next/link";
import { Button, buttonClass } from "@/components/ui/button";
import { FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { workspacePath } from "./paths";

interface Props {
  action: FormAction<never>;
  token: string;
  workspace: { id: string; name: string };
  /** The account that joins. */
  email: string;
  /** Is in the workspace already. */
  joined: boolean;
}

/** One button that accepts the invitation. */
export function AcceptForm({ action, token, workspace, email, joined }: Props) {
  const { state, pending, props } = useForm(action);
  if (joined) {
    return (
      <div className="grid gap-4">
        <p className="text-center text-sm text-muted">You are in {workspace.name} already.</p>
        <Link href={workspacePath(workspace.id)} className={buttonClass({ size: "lg" })}>
          Go to {workspace.name}
        </Link>
      </div>
    );
  }
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="token" value={token} />
      <FormError state={state} />
      <Button type="submit" size="lg" pending={pending}>
        Join {workspace.name}
      </Button>
      <p className="text-center text-[13px] break-words text-muted">You are signed in as {email}.</p>
    </form>
  );
}
