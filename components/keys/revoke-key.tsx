import { ConfirmButton } from "@/components/ui/confirm";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<void>;
  appId: string;
  keyId: string;
  name: string;
  /** It was used within the last day: somebody's app stops with it. */
  busy: boolean;
}

/** Ends a key for good, after a question; one in use only after its name was typed. */
export function RevokeKey({ action, appId, keyId, name, busy }: Props) {
  return (
    <ConfirmButton
      action={action}
      hidden={{ appId, keyId }}
      label="Revoke"
      ariaLabel={`Revoke ${name}`}
      look={{ size: "sm" }}
      title={`Revoke “${name}”?`}
      description={
        <>
          {busy && (
            <p className="text-warn">It was used within the last day. Whatever sends it stops working.</p>
          )}
          <p>Every request with this key is refused from now on. This cannot be undone.</p>
        </>
      }
      submit="Revoke key"
      danger
      typed={busy ? name : undefined}
      done={`“${name}” was revoked`}
    />
  );
}
