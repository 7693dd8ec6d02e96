import type { Metadata } from "next";
import type { ReactNode } from "react";
import { TopBar } from "@/components/dashboard/top-bar";
import { currentPerson } from "@/lib/session/person";
import { signOutAction } from "./actions";

export const metadata: Metadata = { robots: { index: false } };

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const person = await currentPerson();
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-ink px-3 py-2 text-sm text-page focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <TopBar name={person.name} email={person.email} signOut={signOutAction} />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto max-w-5xl px-5 pt-8 pb-24 outline-none sm:px-8 sm:pt-12"
      >
        {children}
      </main>
    </>
  );
}
