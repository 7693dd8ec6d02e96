import { Link } from "@/components/ui/link";
import { Logo } from "@/components/ui/logo";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import { LeaveWatch } from "./navigating";
import { ShortcutsItem } from "./open-shell";
import type { FindInApp } from "./palette";
import { PaletteButton } from "./palette-button";
import { type Places, Switcher } from "./switcher";

interface Props {
  name: string;
  email: string;
  places: Places;
  find: FindInApp;
  signOut: (form: FormData) => Promise<void>;
}

function initials(name: string): string {
  const parts = name.split(/\s+/).filter(Boolean);
  const ends = [parts[0], parts.length > 1 ? parts.at(-1) : undefined];
  return ends
    .map((part) => [...(part ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}

/** The header of the dashboard: the switcher, the search and the account. */
export function TopBar({ name, email, places, find, signOut }: Props) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-page/85 backdrop-blur-md">
      <div className="mx-auto flex h-14 max-w-7xl items-center gap-1 px-5 max-[360px]:px-3 sm:px-8">
        <Link
          href="/dashboard"
          aria-label="Metacode: all apps"
          className="-ml-1.5 flex items-center gap-2 rounded-md p-1.5 text-sm font-semibold"
        >
          <Logo />
          <span className="max-sm:hidden">Metacode</span>
        </Link>
        <span className="text-line-strong" aria-hidden>
          /
        </span>
        <Switcher {...places} />
        <span className="flex-1" />
        <PaletteButton places={places} find={find} signOut={signOut} />
        <ThemeToggle />
        <button
          type="button"
          popoverTarget="account"
          aria-label={`Account of ${name}, ${initials(name)}`}
          className="grid size-9 shrink-0 place-items-center rounded-full"
        >
          <span className="grid size-7 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent">
            {initials(name)}
          </span>
        </button>
      </div>
      <LeaveWatch />
      <AccountMenu name={name} email={email} signOut={signOut} demo={places.demo} />
    </header>
  );
}

/** A banner that says that this is the demo, at the lower edge, where it moves no menu. */
export function DemoBanner({ signUp }: { signUp: boolean }) {
  return (
    <aside
      aria-label="Demo"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-raised px-5 py-1.5 text-center text-sm"
    >
      Demo: read-only, reset every night
      {signUp && (
        <Link href="/sign-up" className="ml-3 font-medium text-accent underline underline-offset-2">
          Sign up
        </Link>
      )}
    </aside>
  );
}

function AccountMenu({
  name,
  email,
  signOut,
  demo,
}: Pick<Props, "name" | "email" | "signOut"> & Pick<Places, "demo">) {
  const item = "flex h-9 w-full items-center rounded-md px-2.5 text-left text-sm hover:bg-subtle";
  return (
    <div
      id="account"
      popover="auto"
      className="fixed top-13 right-4 left-auto m-0 w-60 rounded-xl border border-line bg-raised p-1.5 text-ink shadow-xl xl:right-[max(1rem,calc(50vw-38rem))]"
    >
      <div className="grid px-2.5 py-2">
        <span className="truncate text-sm font-medium">{name}</span>
        <span className="truncate text-note text-muted">{demo ? "You are looking at the demo" : email}</span>
      </div>
      <div className="border-t border-line pt-1.5">
        {!demo && (
          <Link href="/dashboard/account" className={item}>
            Account and security
          </Link>
        )}
        <ShortcutsItem className={`${item} pointer-coarse:hidden`} />
        <form action={signOut}>
          <button type="submit" className={item}>
            {demo ? "Leave the demo" : "Sign out"}
          </button>
        </form>
      </div>
    </div>
  );
}
