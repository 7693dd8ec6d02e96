"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { Field, FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

/** What an authenticator is set up with: a picture for its camera, and the same as text. */
export interface Setup {
  qr: { size: number; path: string };
  secret: string;
}

interface Props {
  setup: Setup;
  enable: FormAction<{ recoveryCodes: string[] }>;
  onDone: (codes: string[]) => void;
  onCancel: () => void;
}

/** The authenticator is set up, and shows that it was by its first password. */
export function TwoFactorSetup({ setup, enable, onDone, onCancel }: Props) {
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
        <span className="text-muted">Or type this key into it:</span>
        <span className="flex items-center gap-1">
          <code data-testid="totp-secret" className="min-w-0 font-mono text-[13px] break-all">
            {setup.secret}
          </code>
          <CopyButton text={setup.secret} label="Copy the key" />
        </span>
      </div>
      <Field
        label="Code"
        name="code"
        hint="The 6 digits that it shows now."
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
