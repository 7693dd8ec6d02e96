"use client";

import { UserPlus } from "lucide-react";
import { useState } from "react";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, SelectField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { confirmAction, ResourceMenu } from "@/components/ui/resource-menu";
import { useSecretReveal } from "@/components/ui/secret-reveal";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { Role, SentInvitation } from "@/lib/contract/workspace";
import { INVITED, ROLE_GUIDE, roleChoices } from "./roles";

/** Returns the function that reports an invitation: the destination of the email, or the link, shown once. */
function useReportInvited() {
  const reveal = useSecretReveal();
  return ({ url, email, place }: SentInvitation) => {
    if (email !== null && place) return toast(INVITED[place](email));
    if (!url) return;
    reveal({
      title: "Invitation link",
      description: "Send it to the person you want to invite. It works once, for 7 days.",
      rows: [{ name: "Invitation link", text: url, secret: true, testId: "invitation" }],
      warning: "The link is shown only this once. Anyone who has it can join. You can withdraw or renew it.",
      done: "I have copied the link",
    });
  };
}

interface InviteProps {
  action: FormAction<SentInvitation>;
  workspaceId: string;
  /** Roles that the member may assign. */
  roles: readonly Role[];
}

/** The button that opens the form for an invitation. */
export function InviteButton(props: InviteProps) {
  return (
    <DialogButton
      label="Invite"
      icon={UserPlus}
      title="Invite a team member"
      byAddress
      description="They join with one click."
    >
      {(close) => <InviteForm {...props} onClose={close} />}
    </DialogButton>
  );
}

const WAYS = [
  { value: "mail", name: "By email", hint: "Only an account with this address can accept it." },
  { value: "link", name: "By link", hint: "You send the link yourself. Anyone who has it can accept it." },
];

function InviteForm({ action, workspaceId, roles, onClose }: InviteProps & { onClose: () => void }) {
  const report = useReportInvited();
  const [by, setBy] = useState("mail");
  const [role, setRole] = useState<Role>("member");
  const { state, pending, props } = useForm(action, (invited) => {
    onClose();
    report(invited);
  });
  return (
    <form {...props} noValidate className="grid gap-4">
      <input type="hidden" name="workspaceId" value={workspaceId} />
      <ChoiceCards legend="How to send the invitation" name="by" value={by} choices={WAYS} onChange={setBy} />
      {by === "mail" && (
        <Field label="Email" name="email" type="email" autoComplete="off" required state={state} />
      )}
      <SelectField
        label="Role"
        name="role"
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
        choices={roleChoices(roles)}
        hint={ROLE_GUIDE[role].may}
        state={state}
      />
      <FormError state={state} fields={by === "mail" ? ["email", "role"] : ["role"]} />
      <FormActions
        submit={by === "mail" ? "Send invitation" : "Create link"}
        pending={pending}
        onCancel={onClose}
      />
    </form>
  );
}

export interface InvitationActions {
  renew: FormAction<SentInvitation>;
  withdraw: FormAction<void>;
}

interface MenuProps {
  /** The invited address; null for a link. */
  email: string | null;
  /** Ids sent with the form. */
  hidden: Record<string, string>;
  actions: InvitationActions;
}

/** The actions for a pending invitation. */
export function InvitationMenu({ email, hidden, actions }: MenuProps) {
  const report = useReportInvited();
  const renew = email === null ? "Create new link" : "Send again";
  return (
    <ResourceMenu
      label={email === null ? "Actions for the invitation link" : `Actions for the invitation of ${email}`}
      actions={[
        confirmAction(renew, {
          hidden,
          action: actions.renew,
          title: email === null ? "Create a new link?" : "Send the invitation again?",
          description:
            email === null
              ? "The old link stops working. The new one is shown once and works for 7 days."
              : `The link in the last email stops working. The new one goes to ${email} and works for 7 days.`,
          submit: renew,
          onDone: report,
        }),
        confirmAction("Withdraw", {
          hidden,
          action: actions.withdraw,
          title: "Withdraw this invitation?",
          description: "Its link stops working at once. You can send a new invitation at any time.",
          submit: "Withdraw",
          danger: true,
          done: "Invitation withdrawn",
        }),
      ]}
    />
  );
}
