"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { ProofFields, type Prover } from "@/components/account/fields";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmButton } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field, FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { saveFile } from "@/components/ui/save-file";
import { LocalTime } from "@/components/ui/time";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount } from "@/lib/contract/format";

/** The secret for an authenticator, as a QR code and as text. */
interface AuthenticatorSecret {
  qr: { size: number; path: string };
  secret: string;
}

interface SetupProps {
  setup: AuthenticatorSecret;
  enable: FormAction<{ recoveryCodes: string[] }>;
  onDone: (codes: string[]) => void;
  onCancel: () => void;
}

/** Sets up an authenticator, which is confirmed by its first code. */
function AuthenticatorForm({ setup, enable, onDone, onCancel }: SetupProps) {
  const { state, pending, props } = useForm(enable, ({ recoveryCodes }) => onDone(recoveryCodes));
  const { size, path } = setup.qr;
  return (
    <form {...props} className="grid gap-4">
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label="QR code for your authenticator"
        className="mx-auto size-48 rounded-lg"
        shapeRendering="crispEdges"
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <Field
        label="Code"
        name="code"
        hint="The 6 digits that your authenticator shows now."
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        state={state}
      />
      <div className="grid gap-1 text-sm">
        <span className="text-muted">Cannot scan it? Enter this key in your authenticator:</span>
        <span className="flex items-center gap-1">
          <code data-testid="totp-secret" className="min-w-0 font-mono text-note wrap-anywhere">
            {setup.secret}
          </code>
          <CopyButton text={setup.secret} label="Copy the key" />
        </span>
      </div>
      <FormError state={state} fields={["code"]} />
      <FormActions submit="Turn on" pending={pending} onCancel={onCancel} />
    </form>
  );
}

interface CodesProps {
  codes: readonly string[] | undefined;
  onClose: () => void;
}

/** New recovery codes, shown once, in a dialog that cannot be closed by accident. */
function RecoveryCodes({ codes, onClose }: CodesProps) {
  const text = (codes ?? []).join("\n");
  return (
    <Dialog
      open={codes !== undefined}
      onClose={onClose}
      dismissible={false}
      title="Your recovery codes"
      description="Each signs you in once without your authenticator. They are shown only now. Do not store them on the same device."
    >
      <div data-testid="recovery-codes">
        <CodeBlock text={text} label="Copy the recovery codes" />
      </div>
      <DialogActions>
        <Button
          variant="secondary"
          onClick={() => saveFile("metacode-recovery-codes.txt", `${text}\n`, "text/plain")}
        >
          <Download className="size-4" aria-hidden />
          Save as a file
        </Button>
        <Button onClick={onClose}>I have stored them</Button>
      </DialogActions>
    </Dialog>
  );
}

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
      <State since={since} codesLeft={codesLeft} prover={prover} />
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

/** The first factor of an account. */
const factorOf = ({ hasPassword }: Prover) => (hasPassword ? "Your password" : "A connected account");

function State({ since, codesLeft, prover }: Pick<Props, "since" | "codesLeft" | "prover">) {
  if (!since) {
    return <p className="text-sm text-muted">Off. {factorOf(prover)} alone is enough to sign in.</p>;
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
        description={
          <p>{factorOf(prover)} alone will be enough to sign in. Your recovery codes are deleted.</p>
        }
        submit="Turn off"
        danger
        done="Two-factor sign-in is off"
      >
        <ProofFields prover={prover} code />
      </ConfirmButton>
    </>
  );
}
