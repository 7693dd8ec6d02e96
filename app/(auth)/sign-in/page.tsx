import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignInForm } from "@/components/site/sign-in-form";
import { Logo } from "@/components/ui/logo";
import { findCurrentPerson } from "@/lib/session/person";
import { returnPath } from "@/lib/session/return-path";
import { signInAction } from "./actions";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: Props) {
  const next = returnPath((await searchParams).next);
  if (await findCurrentPerson()) redirect(next);
  return (
    <main className="grid min-h-dvh place-items-center px-5 py-12">
      <div className="grid w-full max-w-[22rem] gap-7">
        <header className="grid justify-items-center gap-4 text-center">
          <span className="grid size-11 place-items-center rounded-xl bg-ink text-page">
            <Logo className="size-6" />
          </span>
          <div className="grid gap-1">
            <h1 className="text-xl font-semibold tracking-tight">Sign in to Metacode</h1>
            <p className="text-sm text-muted">Your apps, keys and referral campaigns.</p>
          </div>
        </header>
        <SignInForm action={signInAction} next={next} />
      </div>
    </main>
  );
}
