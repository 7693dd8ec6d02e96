"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";

/** What a provider has to be told, with the secret that is shown this once. */
export interface ShownSecret {
  title: string;
  rows: readonly { name: string; text: string; secret?: boolean }[];
  steps: readonly string[];
}

const Reveal = createContext<(shown: ShownSecret) => void>(() => undefined);

/** Shows a new secret once. */
export const useSecretReveal = () => useContext(Reveal);

/** The place where new secrets are shown; closing forgets them. It stands above what the change may take away. */
export function SecretReveal({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownSecret>();
  const forget = () => setShown(undefined);
  return (
    <Reveal value={setShown}>
      {children}
      <Dialog
        open={shown !== undefined}
        onClose={forget}
        dismissible={false}
        title={shown?.title ?? ""}
        description="Copy what you need before you close this."
      >
        {shown && <Shown shown={shown} onDone={forget} />}
      </Dialog>
    </Reveal>
  );
}

function Shown({ shown, onDone }: { shown: ShownSecret; onDone: () => void }) {
  return (
    <>
      <dl className="grid grid-cols-1 gap-3">
        {shown.rows.map(({ name, text, secret }) => (
          <div key={name} className="grid grid-cols-1 gap-1.5">
            <dt className="text-sm font-medium">{name}</dt>
            <dd className="flex items-center gap-2 rounded-lg border border-line bg-subtle py-1.5 pr-1.5 pl-3">
              <code
                data-testid={secret ? "secret" : undefined}
                className="flex-1 font-mono text-[13px] break-all select-all"
              >
                {text}
              </code>
              <CopyButton text={text} label={`Copy: ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
      <Callout tone="warn">This is the only time the secret is shown.</Callout>
      {shown.steps.length > 0 && (
        <ol className="grid list-decimal gap-1.5 pl-5 text-sm text-muted">
          {shown.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      <DialogActions>
        <Button onClick={onDone}>I have stored the secret</Button>
      </DialogActions>
    </>
  );
}
