import type { Metadata } from "next";
import type { ReactNode } from "react";
import { TopBar } from "@/components/shell/top-bar";
import { listPlaces } from "@/lib/session/apps";
import { currentPerson } from "@/lib/session/person";
import { findPeopleAction, signOutAction } from "./actions";

export const metadata: Metadata = { robots: { index: false } };

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const person = await currentPerson();
  const places = await listPlaces(person);
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-ink px-3 py-2 text-sm text-page focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <TopBar
        name={person.name}
        email={person.email}
        places={places}
        find={findPeopleAction}
        signOut={signOutAction}
      />
      <main id="content" tabIndex={-1} className="mx-auto max-w-7xl px-5 outline-none max-lg:pt-3 sm:px-8">
        {children}
      </main>
    </>
  );
}
