"use client";

import type { ReactNode } from "react";
import { AuthFooter, AuthHeading, TextLink } from "@/components/account/auth-page";
import { workspacePath } from "@/components/shell/navigation";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { FormError } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { Role } from "@/lib/contract/workspace";
import { ROLE_GUIDE } from "./roles";

interface AcceptProps {
  action: FormAction<never>;
  token: string;
  workspace: { id: string; name: string };
  /** The address of the account that joins. */
  email: string;
  /** Whether the account is already a member. */
  joined: boolean;
}

/** The button that accepts the invitation. */
export function AcceptForm({ action, token, workspace, email, joined }: AcceptProps) {
  const { state, pending, props } = useForm(action);
  if (joined) {
    return (
      <div className="grid gap-4">
        <p className="text-center text-sm text-muted">You are already a member of {workspace.name}.</p>
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
      <p className="text-center text-note wrap-anywhere text-muted">You are signed in as {email}.</p>
    </form>
  );
}

type Invited = Pick<AcceptProps, "workspace"> & { invitedBy: string; role: Role };

/** The workspace to join, the inviter and the role; `children` are the next step. */
export function InvitationHeading(props: { invitation: Invited; children: ReactNode }) {
  const { workspace, invitedBy, role } = props.invitation;
  return (
    <AuthHeading title={`Join ${workspace.name}`}>
      {invitedBy} invites you to this workspace. Your role: {ROLE_GUIDE[role].name.toLowerCase()}.{" "}
      {props.children}
    </AuthHeading>
  );
}

/** Links to sign in or sign up and return to the invitation. */
export function GuestInvitation({ path, email }: { path: string; email: string | null }) {
  const next = encodeURIComponent(path);
  return (
    <div className="grid gap-4">
      {email && <Callout>This invitation is for {email}.</Callout>}
      <Link href={`/sign-up?next=${next}`} className={buttonClass({ size: "lg" })}>
        Create an account
      </Link>
      <Link href={`/sign-in?next=${next}`} className={buttonClass({ variant: "secondary", size: "lg" })}>
        Sign in to join
      </Link>
    </div>
  );
}

interface OtherProps {
  email: string;
  signedInAs: string;
  token: string;
  signOut: (form: FormData) => Promise<void>;
}

/** The notice for an account with another address than the invited one. */
export function OtherAccount({ email, signedInAs, token, signOut }: OtherProps) {
  return (
    <>
      <Callout tone="warn">
        <p>
          This invitation is for {email}, but you are signed in as {signedInAs}.
        </p>
        <p>Sign out to accept it with the other account, or ask for an invitation to your address.</p>
      </Callout>
      <form action={signOut} className="grid">
        <input type="hidden" name="token" value={token} />
        <Button type="submit" size="lg">
          Sign out
        </Button>
      </form>
      <AuthFooter>
        <TextLink href="/dashboard">Go to the dashboard</TextLink>
      </AuthFooter>
    </>
  );
}

const CLOSED_REASON = {
  accepted: "It was already used. If that was you, the workspace is in your dashboard.",
  withdrawn: "It was withdrawn, or its sender can no longer invite.",
  expired: "It was not accepted within 7 days.",
  unknown: "The link is incomplete, or a newer one has replaced it.",
};

/** The reason why an invitation no longer works, and the next step. */
export function ClosedInvitation({ state = "unknown" }: { state?: string | undefined }) {
  return (
    <>
      <AuthHeading title="This invitation does not work">
        {CLOSED_REASON[state as keyof typeof CLOSED_REASON] ?? CLOSED_REASON.unknown} Ask the sender for a new
        link.
      </AuthHeading>
      <AuthFooter>
        <TextLink href="/dashboard">Go to the dashboard</TextLink>
      </AuthFooter>
    </>
  );
}
