import Link from "next/link";
import { AuthFooter, AuthHeading } from "@/components/account/auth-heading";
import { TextLink } from "@/components/account/text-link";
import { buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";

/** The way in for somebody without a session, and back here afterwards. */
export function GuestWays({ path, email }: { path: string; email: string | null }) {
  const next = encodeURIComponent(path);
  return (
    <div className="grid gap-4">
      {email && <Callout>This invitation is for an account with the address {email}.</Callout>}
      <Link href={`/sign-in?next=${next}`} className={buttonClass({ size: "lg" })}>
        Sign in to join
      </Link>
      <Link href={`/sign-up?next=${next}`} className={buttonClass({ variant: "secondary", size: "lg" })}>
        Make an account
      </Link>
    </div>
  );
}

/** What somebody can do who is signed in with another address than the invited one. */
export function OtherAccount({ email, signedInAs }: { email: string; signedInAs: string }) {
  return (
    <>
      <Callout tone="warn">
        <p>
          This invitation is for {email}, and you are signed in as {signedInAs}.
        </p>
        <p>Sign out in the dashboard, then open the link again, or ask for an invitation to your address.</p>
      </Callout>
      <AuthFooter>
        <TextLink href="/dashboard">Go to the dashboard</TextLink>
      </AuthFooter>
    </>
  );
}

const WORDS = {
  accepted: "It was used already. If that was you, the workspace is in your dashboard.",
  withdrawn: "It was withdrawn, or the person who sent it can no longer invite.",
  expired: "It was not accepted within 7 days.",
  unknown: "The link is not complete, or a newer one has replaced it.",
};

/** Why an invitation leads nowhere, and what to do. */
export function ClosedInvitation({ state = "unknown" }: { state?: string | undefined }) {
  return (
    <>
      <AuthHeading title="This invitation does not work">
        {WORDS[state as keyof typeof WORDS] ?? WORDS.unknown} Ask whoever invited you for a new link.
      </AuthHeading>
      <AuthFooter>
        <TextLink href="/dashboard">Go to the dashboard</TextLink>
      </AuthFooter>
    </>
  );
}
