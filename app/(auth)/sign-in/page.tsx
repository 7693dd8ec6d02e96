import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFooter, AuthHeading } from "@/components/account/auth-heading";
import { ElsewhereButtons } from "@/components/account/elsewhere-buttons";
import { SignInForm } from "@/components/account/sign-in-form";
import { TextLink } from "@/components/account/text-link";
import { Callout } from "@/components/ui/callout";
import { elsewhereTrouble } from "@/lib/session/elsewhere-trouble";
import { offeredProviders } from "@/lib/session/oauth-providers";
import { findCurrentPerson } from "@/lib/session/person";
import { returnPath } from "@/lib/session/return-path";
import { elsewhereAction, signInAction } from "./actions";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: Props) {
  const { next: wanted, error, done } = await searchParams;
  const next = returnPath(wanted);
  if (await findCurrentPerson()) redirect(next);
  const trouble = elsewhereTrouble(error);
  return (
    <>
      <AuthHeading title="Sign in to Metacode">Your apps, keys and referral campaigns.</AuthHeading>
      {trouble && <Callout tone="bad">{trouble}</Callout>}
      {done === "reset" && <Callout tone="good">Your password is set. Sign in with it.</Callout>}
      {done === "deleted" && <Callout tone="good">Your account was deleted.</Callout>}
      <SignInForm action={signInAction} next={next} />
      <ElsewhereButtons action={elsewhereAction} providers={offeredProviders()} next={next} />
      <AuthFooter>
        <TextLink href="/reset">Forgot your password?</TextLink>
        <span className="px-2" aria-hidden>
          ·
        </span>
        <TextLink href={`/sign-up?next=${encodeURIComponent(next)}`}>Sign up</TextLink>
      </AuthFooter>
    </>
  );
}
