import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFooter, AuthHeading, TextLink } from "@/components/account/auth-page";
import { OAuthButtons, SignInForm } from "@/components/account/sign-in-forms";
import { ForgetSandboxKey } from "@/components/docs/sandbox-key";
import { Callout } from "@/components/ui/callout";
import { InvitationText } from "@/components/workspace/roles";
import { findOpenInvitation } from "@/lib/tenants/sign-up/admission";
import { findAccountUser } from "@/lib/web/session/current-user";
import { listOAuthProviders } from "@/lib/web/session/oauth-providers";
import { oauthErrorText } from "@/lib/web/session/oauth-return";
import { continuing, returnPath } from "@/lib/web/session/paths";
import { oauthAction, signInAction } from "./actions";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: Props) {
  const { next: requested, error, done, again } = await searchParams;
  const next = returnPath(requested);
  if (again === undefined && (await findAccountUser())) redirect(next);
  const invitation = await findOpenInvitation(next);
  const trouble = oauthErrorText(error);
  return (
    <>
      <AuthHeading title="Sign in to Metacode">
        {invitation ? (
          <InvitationText invitation={invitation} />
        ) : (
          "Manage your apps, API keys and referral campaigns."
        )}
      </AuthHeading>
      {again === undefined && <ForgetSandboxKey />}
      {trouble && <Callout tone="bad">{trouble}</Callout>}
      {done === "deleted" && <Callout tone="good">Your account was deleted.</Callout>}
      <SignInForm action={signInAction} next={next} invited={invitation?.email ?? undefined} />
      <OAuthButtons action={oauthAction} providers={listOAuthProviders()} next={next} />
      <AuthFooter>
        <TextLink href={continuing("/reset", next)}>Forgot your password?</TextLink>
        <span className="px-2" aria-hidden>
          ·
        </span>
        <TextLink href={continuing("/sign-up", next)}>Sign up</TextLink>
      </AuthFooter>
    </>
  );
}
