"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { hiddenStartCookie } from "@/lib/contract/checklist";

const YEAR = 31_536_000;

/** Hides the card in this browser with a cookie, so that the server omits it and the layout does not shift. */
export function HideStart({ appId }: { appId: string }) {
  const router = useRouter();
  const hide = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers
    document.cookie = `${hiddenStartCookie(appId)}=1; path=/dashboard; max-age=${YEAR}; samesite=lax`;
    router.refresh();
  };
  return (
    <button
      type="button"
      onClick={hide}
      aria-label="Hide getting started; it stays in the navigation"
      className="grid size-8 place-items-center rounded-md text-muted hover:bg-subtle hover:text-ink"
    >
      <X className="size-4" aria-hidden />
    </button>
  );
}
