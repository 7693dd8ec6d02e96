import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFooter, AuthHeading } from "@/components/account/auth-heading";
import { CodeForm } from "@/components/account/code-form";
import { TextLink } from "@/components/account/text-link";
import { returnPath } from "@/lib/session/return-path";
import { findStep } from "@/lib/session/sign-in";
import { finishSignInAction } from "./actions";

export const metadata: Metadata = { title: "Two-factor sign-in", robots: { index: false } };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function CodePage({ searchParams }: Props) {
  const next = returnPath((await searchParams).next);
  const start = `/sign-in?next=${encodeURIComponent(next)}`;
  if (!(await findStep())) redirect(start);
  return (
    <>
      <AuthHeading title="Two-factor sign-in">Your password was right. One step more.</AuthHeading>
      <CodeForm action={finishSignInAction} next={next} />
      <AuthFooter>
        <TextLink href={start}>Sign in as somebody else</TextLink>
      </AuthFooter>
    </>
  );
}
