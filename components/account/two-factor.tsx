"use client";

import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { ConfirmButton } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { LocalTime } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount } from "@/lib/contract/format";
import { ProofFields, type Prover } from "./fields";
import { AuthenticatorForm, type AuthenticatorSecret, RecoveryCodes } from "./two-factor-setup";

interface Codes {
  recoveryCodes: string[];
}

interface Props {
  since: Date | null;
  codesLeft: number;
  prover: Prover;
  begin: FormAction<AuthenticatorSecret>;
  enable: FormAction<Codes>;
  disable: FormAction<void>;
  renew: FormAction<Codes>;
}

/** Two-factor sign-in: whether it is on, and the buttons that turn it on and off. */
export function TwoFactor({ since, codesLeft, prover, begin, enable, disable, renew }: Props) {
  const [setup, setSetup] = useState<AuthenticatorSecret>();
  const [codes, setCodes] = useState<string[]>();
  const show = ({ recoveryCodes }: Codes) => setCodes(recoveryCodes);
  return (
    <>
      <State since={since} codesLeft={codesLeft} />
      <div className="flex flex-wrap gap-2">
        {since ? (
          <ProtectedActions prover={prover} disable={disable} renew={renew} onCodes={show} />
        ) : (
          <ConfirmButton
            action={begin}
            hidden={{}}
            label="Turn on"
            title="Turn on two-factor sign-in"
            description={<p>You need an authenticator: an app on your phone, or your password manager.</p>}
            submit="Continue"
            onDone={setSetup}
          >
            <ProofFields prover={prover} code={false} />
          </ConfirmButton>
        )}
      </div>
      <Dialog
        open={setup !== undefined}
        onClose={() => setSetup(undefined)}
        title="Set up your authenticator"
        description="Scan this QR code with it."
      >
        {setup && (
          <AuthenticatorForm
            setup={setup}
            enable={enable}
            onCancel={() => setSetup(undefined)}
            onDone={(newCodes) => {
              setSetup(undefined);
              setCodes(newCodes);
            }}
          />
        )}
      </Dialog>
      <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
    </>
  );
}

function State({ since, codesLeft }: Pick<Props, "since" | "codesLeft">) {
  if (!since) {
    return <p className="text-sm text-muted">Off. Your password alone is enough to sign in.</p>;
  }
  return (
    <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-muted">
      <Badge tone="good">On</Badge>
      <span>
        since <LocalTime at={since} shape="day" />
      </span>
      <Badge tone={codesLeft > 2 ? "neutral" : "warn"}>{formatCount(codesLeft, "recovery code")} left</Badge>
    </p>
  );
}

type ActionsProps = Pick<Props, "prover" | "disable" | "renew"> & { onCodes: (codes: Codes) => void };

function ProtectedActions({ prover, disable, renew, onCodes }: ActionsProps) {
  return (
    <>
      <ConfirmButton
        action={renew}
        hidden={{}}
        label="New recovery codes"
        title="Replace your recovery codes"
        description={<p>You get ten new codes. Your old ones stop working.</p>}
        submit="Show new codes"
        onDone={onCodes}
      >
        <ProofFields prover={prover} code />
      </ConfirmButton>
      <ConfirmButton
        action={disable}
        hidden={{}}
        label="Turn off"
        title="Turn off two-factor sign-in"
        description={<p>Your password alone will be enough to sign in. Your recovery codes are deleted.</p>}
        submit="Turn off"
        danger
        done="Two-factor sign-in is off"
      >
        <ProofFields prover={prover} code />
      </ConfirmButton>
    </>
  );
}
