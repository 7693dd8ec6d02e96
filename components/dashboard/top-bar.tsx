import Link from "next/link";
import { Logo } from "@/components/ui/logo";
import { ThemeToggle } from "@/components/ui/theme-toggle";

interface Props {
  name: string;
  email: string;
  signOut: (form: FormData) => Promise<void>;
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? "")][0] ?? "",
  );
  return letters.join("").toUpperCase();
}

/** The head of every page of the dashboard: where home is, and who is signed in. */
export function TopBar({ name, email, signOut }: Props) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-page/85 backdrop-blur-md">
      <div className="mx-auto flex h-14 max-w-5xl items-center gap-1 px-5 sm:px-8">
        <Link
          href="/dashboard"
          className="-ml-1.5 flex items-center gap-2 rounded-md p-1.5 text-sm font-semibold"
        >
          <Logo />
          Metacode
        </Link>
        <span className="flex-1" />
        <ThemeToggle />
        <button
          type="button"
          popoverTarget="account"
          aria-label={`Account of ${name}`}
          className="grid size-9 place-items-center rounded-full"
        >
          <span className="grid size-7 place-items-center rounded-full bg-accent-soft text-[11px] font-semibold text-accent">
            {initials(name)}
          </span>
        </button>
      </div>
      <div
        id="account"
        popover="auto"
        className="fixed top-13 right-4 left-auto m-0 w-60 rounded-xl border border-line bg-raised p-1.5 text-ink shadow-xl lg:right-[max(1rem,calc(50vw-30rem))]"
      >
        <div className="grid px-2.5 py-2">
          <span className="truncate text-sm font-medium">{name}</span>
          <span className="truncate text-[13px] text-muted">{email}</span>
        </div>
        <form action={signOut} className="border-t border-line pt-1.5">
          <button type="submit" className="h-9 w-full rounded-md px-2.5 text-left text-sm hover:bg-subtle">
            Sign out
          </button>
        </form>
      </div>
    </header>
  );
}
