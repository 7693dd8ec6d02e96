import type { Metadata } from "next";
import { AuthFooter, AuthHeading, TextLink } from "@/components/account/auth-page";
import { RequestResetForm } from "@/components/account/reset-forms";
import { requestResetAction } from "./actions";

export const metadata: Metadata = { title: "Reset your password", robots: { index: false } };

export default function RequestResetPage() {
  return (
    <>
      <AuthHeading title="Reset your password">
        You get a link to choose a new one. It works for an hour.
      </AuthHeading>
      <RequestResetForm action={requestResetAction} />
      <AuthFooter>
        <TextLink href="/sign-in">Back to sign in</TextLink>
      </AuthFooter>
    </>
  );
}
