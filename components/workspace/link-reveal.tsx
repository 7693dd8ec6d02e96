"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { Invited } from "@/lib/contract/team";

const Reveal = createContext<(invited: Invited) => void>(() => undefined);

/** Tells what came of inviting: where the mail went, or the link, once. */
export const useInvited = () => useContext(Reveal);

/** The place where a new link is shown. Closing forgets it: it is in no address and in no later page. */
export function LinkReveal({ children }: { children: ReactNode }) {
  const [url, setUrl] = useState<string>();
  const forget = () => setUrl(undefined);
  const tell = (invited: Invited) => {
    if (invited.url) setUrl(invited.url);
    else toast(`The invitation is on its way to ${invited.email}`);
  };
  return (
    <Reveal value={tell}>
      {children}
      <Dialog
        open={url !== undefined}
        onClose={forget}
        dismissible={false}
        title="Invitation link"
        description="Hand it to the one person you invite. It works once, for 7 days."
      >
        {url && <Shown url={url} onDone={forget} />}
      </Dialog>
    </Reveal>
  );
}

function Shown({ url, onDone }: { url: string; onDone: () => void }) {
  return (
    <>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-subtle py-2 pr-2 pl-3.5">
        <code data-testid="invitation" className="flex-1 font-mono text-[13px] break-all select-all">
          {url}
        </code>
        <CopyButton text={url} label="Copy the link" />
      </div>
      <Callout tone="warn">
        This is the only time the link is shown. Whoever has it can join; you can withdraw it or make a new
        one.
      </Callout>
      <DialogActions>
        <Button onClick={onDone}>I have copied the link</Button>
      </DialogActions>
    </>
  );
}
