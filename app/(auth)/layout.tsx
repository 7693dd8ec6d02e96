import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { Logo } from "@/components/ui/logo";

/** The pages before the dashboard: a narrow column below the logo. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center px-5 py-12">
      <div className="grid w-full max-w-92 gap-6">
        <Link
          href="/"
          aria-label="Metacode"
          className="mx-auto grid size-11 place-items-center rounded-xl bg-ink text-page"
        >
          <Logo className="size-6" />
        </Link>
        {children}
      </div>
    </main>
  );
}
