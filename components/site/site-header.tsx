import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { Logo } from "@/components/ui/logo";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import type { SiteLink } from "./links";

/** The head of the public pages; `entrance` leads to the dashboard or to the sign-in. */
export function SiteHeader({ entrance }: { entrance: SiteLink }) {
  return (
    <header className="mx-auto flex h-16 max-w-5xl items-center gap-2 px-5 sm:px-8">
      <Link href="/" className="-ml-1.5 flex items-center gap-2 rounded-md p-1.5 text-[15px] font-semibold">
        <Logo />
        Metacode
      </Link>
      <span className="flex-1" />
      <ThemeToggle />
      <Link href={entrance.href} className={buttonClass({ variant: "secondary" })}>
        {entrance.name}
      </Link>
    </header>
  );
}
