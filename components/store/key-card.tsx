import { Badge } from "@/components/ui/badge";
import { Callout } from "@/components/ui/callout";
import { ConfirmButton } from "@/components/ui/confirm";
import { Facts } from "@/components/ui/facts";
import { RelativeTime } from "@/components/ui/time";
import type { StoreKeyView } from "@/lib/contract/code-request";
import type { FormAction } from "@/lib/contract/form-state";
import { KeyForm } from "./key-form";

interface Props {
  appId: string;
  storeKey: StoreKeyView;
  mayChange: boolean;
  save: FormAction<{ trouble: string | null }>;
  remove: FormAction<void>;
}

/** The App Store Connect key of an app, its status, and the actions for admins. */
export function KeyCard({ appId, storeKey, mayChange, save, remove }: Props) {
  const { issuerId, keyId, trouble, unreadable, listedAt, createdAt } = storeKey;
  const state = trouble ? (
    <Badge tone="bad">{unreadable ? "Unreadable" : "Refused"}</Badge>
  ) : (
    <KeyBadge listedAt={listedAt} />
  );
  return (
    <>
      {trouble && (
        <Callout tone="bad">
          <p>{trouble}</p>
        </Callout>
      )}
      <Facts
        facts={[
          {
            name: "Key",
            value: (
              <span className="flex flex-wrap items-center gap-2.5">
                <span className="font-mono text-note">{keyId}</span> {state}
              </span>
            ),
            action: mayChange && (
              <span className="flex flex-wrap justify-end gap-2">
                <KeyForm
                  action={save}
                  appId={appId}
                  label="Replace"
                  title="Replace the key"
                  look={{ variant: "secondary", size: "sm" }}
                />
                <ConfirmButton
                  label="Remove"
                  look={{ size: "sm" }}
                  action={remove}
                  hidden={{ appId }}
                  title="Remove the key?"
                  description="The key is deleted from this server. Refills stop, and open requests wait for another key. If nothing else uses the key, revoke it at Apple, too."
                  submit="Remove key"
                  danger
                  done="Key removed"
                />
              </span>
            ),
          },
          { name: "Issuer", value: <span className="font-mono text-note wrap-anywhere">{issuerId}</span> },
          {
            name: "Stored",
            value: (
              <span>
                <RelativeTime at={createdAt} />, encrypted
              </span>
            ),
          },
        ]}
      />
    </>
  );
}

function KeyBadge({ listedAt }: Pick<StoreKeyView, "listedAt">) {
  return listedAt ? <Badge tone="good">Working</Badge> : <Badge tone="warn">Not tested yet</Badge>;
}
