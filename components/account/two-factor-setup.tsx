"use client";

import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field, FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { saveFile } from "@/components/ui/save-file";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

/** The secret for an authenticator, as a QR code and as text. */
export interface AuthenticatorSecret {
  qr: { size: number; path: string };
  secret: string;
}

interface SetupProps {
  setup: AuthenticatorSecret;
  enable: FormAction<{ recoveryCodes: string[] }>;
  onDone: (codes: string[]) => void;
  onCancel: () => void;
}

/** Sets up an authenticator, which proves itself with its first code. */
export function AuthenticatorForm({ setup, enable, onDone, onCancel }: SetupProps) {
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
      <div className="grid gap-1 text-sm">
        <span className="text-muted">Or enter this key:</span>
        <span className="flex items-center gap-1">
          <code data-testid="totp-secret" className="min-w-0 font-mono text-note break-all">
            {setup.secret}
          </code>
          <CopyButton text={setup.secret} label="Copy the key" />
        </span>
      </div>
      <Field
        label="Code"
        name="code"
        hint="The 6 digits that your authenticator shows now."
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        state={state}
      />
      <FormError state={state} fields={["code"]} />
      <FormActions submit="Turn on" pending={pending} onCancel={onCancel} />
    </form>
  );
}

interface CodesProps {
  codes: readonly string[] | undefined;
  onClose: () => void;
}

/** New recovery codes, shown once. The dialog does not close by accident. */
export function RecoveryCodes({ codes, onClose }: CodesProps) {
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
