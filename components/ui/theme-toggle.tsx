"use client";

import { SunMoon } from "lucide-react";
import { THEME_COOKIE } from "./theme";

/** Switches between light and dark, for this browser. */
export function toggleTheme(): void {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const next = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
  root.dataset.theme = next;
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API yet
  document.cookie = `${THEME_COOKIE}=${next}; path=/; max-age=31536000; samesite=lax${secure}`;
}

/** The button that switches the theme. */
export function ThemeToggle() {
  return (
    <button
      type="button"
      onClick={toggleTheme}
      aria-label="Switch between light and dark"
      className="grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-subtle hover:text-ink"
    >
      <SunMoon className="size-4" aria-hidden />
    </button>
  );
}
