"use client";

import { AuthFooter, AuthHeading, TextLink } from "@/components/account/auth-page";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { FormError } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface AcceptProps {
  action: FormAction<never>;
  token: string;
  /** The name of the workspace. */
  workspace: string;
  /** The address of the account that joins. */
  email: string;
  /** The page of the workspace, for an account that is already a member. */
  home?: string | undefined;
}

/** The button that accepts the invitation. */
export function AcceptForm({ action, token, workspace, email, home }: AcceptProps) {
  const { state, pending, props } = useForm(action);
  if (home) {
    return (
      <div className="grid gap-4">
        <p className="text-center text-sm text-muted">You are already a member of {workspace}.</p>
        <Link href={home} className={buttonClass({ size: "lg" })}>
          Go to {workspace}
        </Link>
      </div>
    );
  }
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="token" value={token} />
      <FormError state={state} />
      <Button type="submit" size="lg" pending={pending}>
        Join {workspace}
      </Button>
      <p className="text-center text-note wrap-anywhere text-muted">You are signed in as {email}.</p>
    </form>
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
          Sign out and continue
        </Button>
      </form>
      <AuthFooter>
        <TextLink href="/dashboard">Go to the dashboard</TextLink>
      </AuthFooter>
    </>
  );
}

const CLOSED = {
  accepted: {
    title: "This invitation was already used",
    why: "If you joined with it, the workspace is in your dashboard.",
  },
  withdrawn: {
    title: "This invitation does not work",
    why: "It was withdrawn, or its sender can no longer invite.",
  },
  expired: { title: "This invitation has expired", why: "It was open for 7 days." },
  unknown: {
    title: "This invitation does not work",
    why: "The link is incomplete, or a newer one has replaced it.",
  },
};

/** The reason why an invitation no longer works, and the next step. */
export function ClosedInvitation({ state = "unknown" }: { state?: keyof typeof CLOSED | undefined }) {
  const { title, why } = CLOSED[state];
  return (
    <>
      <AuthHeading title={title}>
        {why} {state === "accepted" ? "If not, ask" : "Ask"} the sender for a new link.
      </AuthHeading>
      <Link href="/dashboard" className={buttonClass({ variant: "secondary", size: "lg" })}>
        Go to the dashboard
      </Link>
    </>
  );
}
