import Link from "next/link";
import type { ReactNode } from "react";

/** A link within a text. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="rounded-sm font-medium text-ink underline underline-offset-4 hover:text-accent"
    >
      {children}
    </Link>
  );
}
