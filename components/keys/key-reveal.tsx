"use client";

import { TriangleAlert } from "lucide-react";
import { createContext, type ReactNode, useContext, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";

/** A key's text, the one time that it exists outside the app that uses it. */
export interface ShownKey {
  id: string;
  key: string;
}

const Reveal = createContext<(shown: ShownKey) => void>(() => undefined);

/** Shows a new key once. */
export const useKeyReveal = () => useContext(Reveal);

/**
 * The place where new keys are shown. It stands above the list, whose rows come and go with what was done to them.
 * Closing forgets the text: it is in no address and in no later page.
 */
export function KeyReveal({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownKey>();
  const forget = () => setShown(undefined);
  return (
    <Reveal value={setShown}>
      {children}
      <Dialog
        open={shown !== undefined}
        onClose={forget}
        dismissible={false}
        title="Your new API key"
        description="Copy it now and give it to your app or server."
      >
        {shown && <Shown text={shown.key} onDone={forget} />}
      </Dialog>
    </Reveal>
  );
}

function Shown({ text, onDone }: { text: string; onDone: () => void }) {
  return (
    <>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-subtle py-2 pr-2 pl-3.5">
        <code data-testid="api-key" className="flex-1 font-mono text-[13px] break-all select-all">
          {text}
        </code>
        <CopyButton text={text} label="Copy the API key" />
      </div>
      <p className="flex gap-2.5 rounded-lg bg-warn-soft px-3.5 py-3 text-[13px] text-warn">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        This is the only time the key is shown. Keep it in a secret store; whoever has it can act for your
        app.
      </p>
      <DialogActions>
        <Button onClick={onDone}>I have stored the key</Button>
      </DialogActions>
    </>
  );
}
