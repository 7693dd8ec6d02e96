import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFooter, AuthHeading, TextLink } from "@/components/account/auth-page";
import { SignInCodeForm } from "@/components/account/sign-in-forms";
import { continuing, returnPath } from "@/lib/web/session/paths";
import { findPendingSignIn } from "@/lib/web/session/sign-in";
import { finishSignInAction } from "./actions";

export const metadata: Metadata = { title: "Two-factor sign-in", robots: { index: false } };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function CodePage({ searchParams }: Props) {
  const next = returnPath((await searchParams).next);
  const start = continuing("/sign-in", next);
  if (!(await findPendingSignIn())) redirect(start);
  return (
    <>
      <AuthHeading title="Two-factor sign-in">Your password is correct. One more step.</AuthHeading>
      <SignInCodeForm action={finishSignInAction} next={next} />
      <AuthFooter>
        <TextLink href={start}>Sign in with another account</TextLink>
      </AuthFooter>
    </>
  );
}
