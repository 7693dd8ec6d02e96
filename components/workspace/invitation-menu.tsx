"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import type { FormAction } from "@/lib/contract/form-state";
import type { Invited } from "@/lib/contract/team";
import { useInvited } from "./link-reveal";

export interface InvitationActions {
  renew: FormAction<Invited>;
  withdraw: FormAction<void>;
}

interface Props {
  /** Whom it was mailed to; null for a link. */
  email: string | null;
  /** The ids that are sent along. */
  hidden: Record<string, string>;
  actions: InvitationActions;
}

/** What can be done with an invitation that nobody has accepted yet. */
export function InvitationMenu({ email, hidden, actions }: Props) {
  const tell = useInvited();
  const [asked, setAsked] = useState<"renew" | "withdraw">();
  const close = () => setAsked(undefined);
  const renew = email === null ? "Make a new link" : "Send it again";
  return (
    <>
      <Menu label={`Actions for the invitation of ${email ?? "whoever has the link"}`}>
        <MenuItem onSelect={() => setAsked("renew")}>{renew}</MenuItem>
        <MenuLine />
        <MenuItem tone="danger" onSelect={() => setAsked("withdraw")}>
          Withdraw
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={asked === "renew"}
        onClose={close}
        action={actions.renew}
        hidden={hidden}
        title={`${renew}?`}
        description={
          email === null
            ? "The link before stops working. The new one is shown once and works for 7 days."
            : `The link in the mail before stops working. The new one goes to ${email} and works for 7 days.`
        }
        submit={renew}
        onDone={tell}
      />
      <ConfirmDialog
        open={asked === "withdraw"}
        onClose={close}
        action={actions.withdraw}
        hidden={hidden}
        title="Withdraw this invitation?"
        description="Its link stops working at once. You can invite again at any time."
        submit="Withdraw"
        danger
        done="The invitation was withdrawn"
      />
    </>
  );
}
