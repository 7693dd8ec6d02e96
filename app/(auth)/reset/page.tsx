import type { Metadata } from "next";
import { AuthFooter, AuthHeading } from "@/components/account/auth-heading";
import { AskResetForm } from "@/components/account/reset-forms";
import { TextLink } from "@/components/account/text-link";
import { mailPlace } from "@/lib/mail/mailbox";
import { askResetAction } from "./actions";

export const metadata: Metadata = { title: "Reset your password", robots: { index: false } };

export default function AskResetPage() {
  return (
    <>
      <AuthHeading title="Reset your password">
        We mail you a link to choose a new one. It works for an hour.
      </AuthHeading>
      <AskResetForm action={askResetAction} place={mailPlace()} />
      <AuthFooter>
        <TextLink href="/sign-in">Back to sign in</TextLink>
      </AuthFooter>
    </>
  );
}
