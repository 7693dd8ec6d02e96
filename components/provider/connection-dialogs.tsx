import { ConfirmDialog } from "@/components/ui/confirm";
import { Field, SeenValues, SelectField, TextareaField } from "@/components/ui/field";
import type { MenuDialog } from "@/components/ui/resource-menu";
import { useSecretReveal } from "@/components/ui/secret-reveal";
import { toast } from "@/components/ui/toast";
import type { FormAction } from "@/lib/contract/form-state";
import { endOfFormer, GRACE_CHOICES } from "@/lib/contract/grace";
import { pick } from "@/lib/contract/pick";
import {
  type ConnectionView,
  type NewSecret,
  ownNamesText,
  type ProviderGuide,
} from "@/lib/contract/provider";

interface Props<Result> extends MenuDialog {
  appId: string;
  connection: ConnectionView;
  guide: ProviderGuide;
  action: FormAction<Result>;
}

/** Replaces the secret of a connection, or enters the provider's for the first time. */
export function SecretDialog({ appId, connection, guide, action, open, onClose }: Props<NewSecret>) {
  const reveal = useSecretReveal();
  const isOurs = guide.secretFrom === "us";
  const { waiting } = connection;
  const former = endOfFormer(connection.formerUntil);
  const onDone = ({ url, secret }: NewSecret) => {
    if (secret === null) return toast("Saved");
    reveal({
      title: `New secret of ${connection.label}`,
      rows: [
        { name: guide.secretLabel, text: secret, secret: true },
        { name: "Address, unchanged", text: url },
      ],
      steps: [],
    });
  };
  return (
    <ConfirmDialog
      hidden={{ appId, connectionId: connection.id, ...(waiting && { grace: "now" }) }}
      open={open}
      onClose={onClose}
      action={action}
      title={waiting ? "Enter secret" : "Replace secret"}
      description={
        isOurs
          ? `You get a new secret to enter at ${guide.label}. Until then both secrets can work.${former}`
          : `Copy it from ${guide.label}. ${waiting ? "Until you enter it, deliveries are refused." : `For a while both secrets can work.${former}`}`
      }
      submit={isOurs ? "Create new secret" : "Save"}
      onDone={onDone}
    >
      {!isOurs && (
        <Field label={guide.secretLabel} name="secret" required autoComplete="off" spellCheck={false} />
      )}
      {!waiting && <SelectField label="Old secret" name="grace" defaultValue="24h" choices={GRACE_CHOICES} />}
    </ConfirmDialog>
  );
}

/** Edits the names that the owner chose at the provider: of events, or of the user ID's metadata key. */
export function OwnNamesDialog({ appId, connection, guide, action, open, onClose }: Props<void>) {
  const names = ownNamesText(connection.ownNames);
  const example = guide.events[0]?.types[0];
  return (
    <ConfirmDialog
      hidden={{ appId, connectionId: connection.id }}
      open={open}
      onClose={onClose}
      action={action}
      title="Custom names"
      description={`For names that you chose at ${guide.label} instead of the documented ones. Events that were ignored can be replayed afterwards.`}
      submit="Save"
      done="Saved"
    >
      <SeenValues values={pick(names, guide.ownNames ?? [])} />
      {guide.ownNames?.includes("events") && (
        <TextareaField
          label="Events"
          name="events"
          optional
          rows={5}
          maxLength={12_000}
          spellCheck={false}
          defaultValue={names.events}
          placeholder={`My first purchase = ${example}`}
          hint="One per line: your name = the documented name."
        />
      )}
      {guide.ownNames?.includes("userIdKey") && (
        <Field
          label="Metadata key of the user ID"
          name="userIdKey"
          optional
          maxLength={40}
          autoComplete="off"
          spellCheck={false}
          defaultValue={names.userIdKey}
          hint="Read before the default keys."
        />
      )}
    </ConfirmDialog>
  );
}
