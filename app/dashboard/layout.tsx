import type { Metadata } from "next";
import type { ReactNode } from "react";
import { KeyReader } from "@/components/docs/sandbox-key";
import { DemoBanner, TopBar } from "@/components/shell/top-bar";
import { isSignUpOpen } from "@/lib/tenants/sign-up/admission";
import { currentUser } from "@/lib/web/session/current-user";
import { listDestinations } from "@/lib/web/session/queries";
import { findInAppAction, signOutAction } from "./actions";

export const metadata: Metadata = { robots: { index: false } };

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  const places = await listDestinations(user);
  return (
    <KeyReader id={user.id}>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-ink px-3 py-2 text-sm text-page focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <TopBar
        name={user.name}
        email={user.email}
        places={places}
        find={findInAppAction}
        signOut={signOutAction}
      />
      <main id="content" tabIndex={-1} className="mx-auto max-w-7xl px-5 outline-none max-lg:pt-3 sm:px-8">
        {children}
      </main>
      {user.demo && <DemoBanner signUp={isSignUpOpen("")} />}
    </KeyReader>
  );
}
