import type { Metadata } from "next";
import { AuthHeading } from "@/components/account/auth-heading";
import { DeadLink } from "@/components/account/dead-link";
import { VerifyForm } from "@/components/account/verify-form";
import { addressOfLink } from "@/lib/session/newcomer";
import { returnPath } from "@/lib/session/return-path";
import { verifyAction } from "./actions";

export const metadata: Metadata = { title: "Confirm your address", robots: { index: false } };

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Opening it changes nothing: programs that look through mail open links, too. */
export default async function VerifyPage({ params, searchParams }: Props) {
  const { token } = await params;
  const email = await addressOfLink("verify", token);
  if (!email)
    return <DeadLink again="/sign-up">sign up again, or sign in if you have confirmed already</DeadLink>;
  const next = returnPath((await searchParams).next);
  return (
    <>
      <AuthHeading title="Confirm your address">
        Enter your password to finish signing up as <strong className="font-medium break-all">{email}</strong>
        .
      </AuthHeading>
      <VerifyForm action={verifyAction} token={token} email={email} next={next} />
    </>
  );
}
