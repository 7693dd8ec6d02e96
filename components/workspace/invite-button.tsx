"use client";

import { UserPlus } from "lucide-react";
import { useState } from "react";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, SelectField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { Role } from "@/lib/contract/roles";
import type { Invited } from "@/lib/contract/team";
import { useInvited } from "./link-reveal";
import { ROLE_WORDS, roleChoices } from "./roles";

interface Props {
  action: FormAction<Invited>;
  workspaceId: string;
  /** Those that this person may give away. */
  roles: readonly Role[];
}

/** The button that opens the form for an invitation. */
export function InviteButton(props: Props) {
  return (
    <DialogButton
      label="Invite"
      icon={UserPlus}
      title="Invite somebody"
      description="They join with one click."
    >
      {(close) => <InviteForm {...props} onClose={close} />}
    </DialogButton>
  );
}

const WAYS = [
  { value: "mail", name: "By mail", hint: "Only an account with this address can accept it." },
  { value: "link", name: "By link", hint: "You hand it over yourself; whoever has it can accept it." },
];

function InviteForm({ action, workspaceId, roles, onClose }: Props & { onClose: () => void }) {
  const tell = useInvited();
  const [by, setBy] = useState("mail");
  const [role, setRole] = useState<Role>("member");
  const { state, pending, props } = useForm(action, (invited) => {
    onClose();
    tell(invited);
  });
  return (
    <form {...props} noValidate className="grid gap-4">
      <input type="hidden" name="workspaceId" value={workspaceId} />
      <ChoiceCards
        legend="How the invitation gets there"
        name="by"
        value={by}
        choices={WAYS}
        onChange={setBy}
      />
      {by === "mail" && (
        <Field label="E-mail" name="email" type="email" autoComplete="off" required state={state} />
      )}
      <SelectField
        label="Role"
        name="role"
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
        choices={roleChoices(roles)}
        hint={ROLE_WORDS[role].may}
        state={state}
      />
      <FormError state={state} fields={by === "mail" ? ["email", "role"] : ["role"]} />
      <FormActions
        submit={by === "mail" ? "Send invitation" : "Make link"}
        pending={pending}
        onCancel={onClose}
      />
    </form>
  );
}
