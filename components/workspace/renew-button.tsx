"use client";

import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { Invited } from "@/lib/contract/team";
import { useInvited } from "./link-reveal";

interface Props {
  action: FormAction<Invited>;
  hidden: Record<string, string>;
  email: string | null;
}

/** Sends an invitation once more, or makes its link anew; the one before stops working. */
export function RenewButton({ action, hidden, email }: Props) {
  const { state, pending, props } = useForm(action, useInvited());
  useEffect(() => {
    if (state.error) toast(state.error.message);
  }, [state]);
  return (
    <form {...props}>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        pending={pending}
        aria-label={email ? `Send again to ${email}` : "New link"}
      >
        {email ? "Send again" : "New link"}
      </Button>
    </form>
  );
}
