"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { CopyLine, OnceDialog } from "@/components/ui/once-dialog";

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
  return (
    <Reveal value={setShown}>
      {children}
      <OnceDialog
        open={shown !== undefined}
        onClose={() => setShown(undefined)}
        title="Your new API key"
        description="Copy it now and give it to your app or server."
        warning="This is the only time the key is shown. Keep it in a secret store; whoever has it can act for your app."
        done="I have stored the key"
      >
        <CopyLine text={shown?.key ?? ""} label="Copy the API key" testId="api-key" />
      </OnceDialog>
    </Reveal>
  );
}
