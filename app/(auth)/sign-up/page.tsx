import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFooter, AuthHeading, TextLink } from "@/components/account/auth-page";
import { OAuthButtons } from "@/components/account/sign-in-forms";
import { SignUpForm } from "@/components/account/sign-up-forms";
import { Callout } from "@/components/ui/callout";
import { InvitationText } from "@/components/workspace/roles";
import { findOpenInvitation, isSignUpOpen } from "@/lib/tenants/sign-up/admission";
import { findAccountUser } from "@/lib/web/session/current-user";
import { listOAuthProviders } from "@/lib/web/session/oauth-providers";
import { continuing, returnPath } from "@/lib/web/session/paths";
import { oauthAction } from "../sign-in/actions";
import { signUpAction } from "./actions";

export const metadata: Metadata = { title: "Sign up", robots: { index: false } };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignUpPage({ searchParams }: Props) {
  const next = returnPath((await searchParams).next);
  if (await findAccountUser()) redirect(next);
  const invitation = await findOpenInvitation(next);
  return (
    <>
      <AuthHeading title="Sign up for Metacode">
        {invitation ? (
          <InvitationText invitation={invitation} />
        ) : (
          "You get your own workspace. Your first campaign is ten minutes away."
        )}
      </AuthHeading>
      {isSignUpOpen(next) ? (
        <>
          <SignUpForm action={signUpAction} next={next} invited={invitation?.email ?? undefined} />
          <OAuthButtons action={oauthAction} providers={listOAuthProviders()} next={next} />
        </>
      ) : (
        <Callout>Sign-up is closed. Ask a workspace admin to invite you.</Callout>
      )}
      <AuthFooter>
        Have an account? <TextLink href={continuing("/sign-in", next)}>Sign in</TextLink>
      </AuthFooter>
    </>
  );
}
