"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { CopyLine, OnceDialog } from "@/components/ui/once-dialog";
import { toast } from "@/components/ui/toast";
import type { Invited } from "@/lib/contract/team";

const Reveal = createContext<(invited: Invited) => void>(() => undefined);

/** Tells what came of inviting: where the mail went, or the link, once. */
export const useInvited = () => useContext(Reveal);

/** The place where a new link is shown. Closing forgets it: it is in no address and in no later page. */
export function LinkReveal({ children }: { children: ReactNode }) {
  const [url, setUrl] = useState<string>();
  const tell = (invited: Invited) => {
    if (invited.url) setUrl(invited.url);
    else toast(`The invitation is on its way to ${invited.email}`);
  };
  return (
    <Reveal value={tell}>
      {children}
      <OnceDialog
        open={url !== undefined}
        onClose={() => setUrl(undefined)}
        title="Invitation link"
        description="Hand it to the one person you invite. It works once, for 7 days."
        warning="This is the only time the link is shown. Whoever has it can join; you can withdraw it or make a new one."
        done="I have copied the link"
      >
        <CopyLine text={url ?? ""} label="Copy the link" testId="invitation" />
      </OnceDialog>
    </Reveal>
  );
}
