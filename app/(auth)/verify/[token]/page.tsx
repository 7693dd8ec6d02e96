import type { Metadata } from "next";
import { AddressLine, AuthHeading, ExpiredLink } from "@/components/account/auth-page";
import { VerifyForm } from "@/components/account/sign-up-forms";
import { continuing, returnPath } from "@/lib/web/session/paths";
import { findLinkEmail } from "@/lib/web/session/sign-up";
import { verifyAction } from "./actions";

export const metadata: Metadata = { title: "Confirm your address", robots: { index: false } };

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Opening this page changes nothing, because mail scanners open links, too. */
export default async function VerifyPage({ params, searchParams }: Props) {
  const { token } = await params;
  const email = await findLinkEmail("verify", token);
  const next = returnPath((await searchParams).next);
  if (!email)
    return (
      <ExpiredLink again={continuing("/sign-up", next)} signIn={continuing("/sign-in", next)}>
        Sign up again, or sign in if you have already confirmed your address.
      </ExpiredLink>
    );
  return (
    <>
      <AuthHeading title="Confirm your address">
        Enter your password to finish signing up as <AddressLine>{email}</AddressLine>
      </AuthHeading>
      <VerifyForm action={verifyAction} token={token} email={email} next={next} />
    </>
  );
}
