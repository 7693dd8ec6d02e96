"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { CopyLine, OnceDialog } from "./once-dialog";

/** What a provider has to be told, with the secret that is shown this once. */
interface ShownSecret {
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
  const holdsSecret = shown?.rows.some(({ secret }) => secret);
  return (
    <Reveal value={setShown}>
      {children}
      <OnceDialog
        open={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown?.title ?? ""}
        description="Copy what you need before you close this."
        warning={holdsSecret ? "This is the only time the secret is shown." : undefined}
        done={holdsSecret ? "I have stored the secret" : "Done"}
      >
        {shown && <Shown {...shown} />}
      </OnceDialog>
    </Reveal>
  );
}

function Shown({ rows, steps }: ShownSecret) {
  return (
    <>
      <dl className="grid grid-cols-1 gap-3">
        {rows.map(({ name, text, secret }) => (
          <div key={name} className="grid grid-cols-1 gap-1.5">
            <dt className="text-sm font-medium">{name}</dt>
            <dd>
              <CopyLine text={text} label={`Copy: ${name}`} testId={secret ? "secret" : undefined} />
            </dd>
          </div>
        ))}
      </dl>
      {steps.length > 0 && (
        <ol className="grid list-decimal gap-1.5 pl-5 text-sm text-muted">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
    </>
  );
}
