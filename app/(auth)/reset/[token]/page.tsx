import type { Metadata } from "next";
import { AuthHeading } from "@/components/account/auth-heading";
import { DeadLink } from "@/components/account/dead-link";
import { ResetForm } from "@/components/account/reset-forms";
import { addressOfLink } from "@/lib/session/newcomer";
import { resetAction } from "./actions";

export const metadata: Metadata = { title: "Choose a new password", robots: { index: false } };

interface Props {
  params: Promise<{ token: string }>;
}

export default async function ResetPage({ params }: Props) {
  const { token } = await params;
  const email = await addressOfLink("reset", token);
  if (!email) return <DeadLink again="/reset">ask for a new one, it takes a minute</DeadLink>;
  return (
    <>
      <AuthHeading title="Choose a new password">
        For <strong className="font-medium break-all">{email}</strong>. Every browser is signed out.
      </AuthHeading>
      <ResetForm action={resetAction} token={token} email={email} />
    </>
  );
}
