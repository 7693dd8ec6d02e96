import type { Metadata } from "next";
import { AddressLine, AuthHeading, ExpiredLink } from "@/components/account/auth-page";
import { ResetForm } from "@/components/account/reset-forms";
import { continuing, returnPath } from "@/lib/web/session/paths";
import { findLinkEmail } from "@/lib/web/session/sign-up";
import { resetAction } from "../actions";

export const metadata: Metadata = { title: "Choose a new password", robots: { index: false } };

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ResetPage({ params, searchParams }: Props) {
  const { token } = await params;
  const email = await findLinkEmail("reset", token);
  const next = returnPath((await searchParams).next);
  if (!email)
    return (
      <ExpiredLink again={continuing("/reset", next)} signIn={continuing("/sign-in", next)}>
        Request a new one; it takes a minute.
      </ExpiredLink>
    );
  return (
    <>
      <AuthHeading title="Choose a new password">
        It replaces the password of <AddressLine>{email}</AddressLine> and signs you out everywhere.
      </AuthHeading>
      <ResetForm action={resetAction} token={token} email={email} next={next} />
    </>
  );
}
