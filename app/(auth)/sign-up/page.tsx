import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFooter, AuthHeading } from "@/components/account/auth-heading";
import { ElsewhereButtons } from "@/components/account/elsewhere-buttons";
import { SignUpForm } from "@/components/account/sign-up-form";
import { TextLink } from "@/components/account/text-link";
import { Callout } from "@/components/ui/callout";
import { signUpOpen } from "@/lib/accounts/invited";
import { mailPlace } from "@/lib/mail/mailbox";
import { offeredProviders } from "@/lib/session/oauth-providers";
import { findCurrentPerson } from "@/lib/session/person";
import { returnPath } from "@/lib/session/return-path";
import { elsewhereAction } from "../sign-in/actions";
import { signUpAction } from "./actions";

export const metadata: Metadata = { title: "Sign up", robots: { index: false } };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignUpPage({ searchParams }: Props) {
  const next = returnPath((await searchParams).next);
  if (await findCurrentPerson()) redirect(next);
  return (
    <>
      <AuthHeading title="Sign up for Metacode">
        An account and a workspace of your own. Your first campaign is ten minutes away.
      </AuthHeading>
      {signUpOpen(next) ? (
        <>
          <SignUpForm action={signUpAction} next={next} place={mailPlace()} />
          <ElsewhereButtons action={elsewhereAction} providers={offeredProviders()} next={next} />
        </>
      ) : (
        <Callout>Sign-up is closed here. Ask somebody to invite you to their workspace.</Callout>
      )}
      <AuthFooter>
        Have an account? <TextLink href={`/sign-in?next=${encodeURIComponent(next)}`}>Sign in</TextLink>
      </AuthFooter>
    </>
  );
}
