import type { ReactNode } from "react";
import { AuthFooter, AuthHeading } from "./auth-heading";
import { TextLink } from "./text-link";

/** Stands where a link from a mail leads that works no more; `children` say what to do. */
export function DeadLink({ again, children }: { again: string; children: ReactNode }) {
  return (
    <>
      <AuthHeading title="This link does not work">
        It was used already or has expired: {children}.
      </AuthHeading>
      <AuthFooter>
        <TextLink href={again}>Ask for a new link</TextLink>
        <span className="px-2" aria-hidden>
          ·
        </span>
        <TextLink href="/sign-in">Sign in</TextLink>
      </AuthFooter>
    </>
  );
}
