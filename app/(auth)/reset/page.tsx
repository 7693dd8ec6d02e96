import type { Metadata } from "next";
import { AuthFooter, AuthHeading, TextLink } from "@/components/account/auth-page";
import { RequestResetForm } from "@/components/account/reset-forms";
import { findOpenInvitation } from "@/lib/tenants/sign-up/admission";
import { continuing, returnPath } from "@/lib/web/session/paths";
import { requestResetAction } from "./actions";

export const metadata: Metadata = { title: "Reset your password", robots: { index: false } };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function RequestResetPage({ searchParams }: Props) {
  const next = returnPath((await searchParams).next);
  const invitation = await findOpenInvitation(next);
  return (
    <>
      <AuthHeading title="Reset your password">
        You get a link to choose a new one. It works for an hour.
      </AuthHeading>
      <RequestResetForm action={requestResetAction} next={next} invited={invitation?.email ?? undefined} />
      <AuthFooter>
        <TextLink href={continuing("/sign-in", next)}>Back to sign in</TextLink>
      </AuthFooter>
    </>
  );
}
