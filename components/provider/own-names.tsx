import { ConfirmDialog } from "@/components/ui/confirm";
import { Field, TextareaField } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import type { ConnectionView, ProviderGuide } from "@/lib/contract/provider";

interface Props {
  appId: string;
  connection: ConnectionView;
  guide: ProviderGuide;
  actions: { names: FormAction<void> };
  open: boolean;
  onClose: () => void;
}

/** Asks for what the owner has named otherwise at the provider: events, or the key of the user id. */
export function OwnNamesQuestion({ appId, connection, guide, actions, open, onClose }: Props) {
  const { events = {}, userIdKey } = connection.ownNames ?? {};
  const lines = Object.entries(events).map((pair) => pair.join(" = "));
  const example = guide.events[0]?.types[0];
  return (
    <ConfirmDialog
      hidden={{ appId, connectionId: connection.id }}
      open={open}
      onClose={onClose}
      action={actions.names}
      title="Names of your own"
      description={`For what you have named otherwise at ${guide.label} than its documentation does. Events that were ignored can be replayed afterwards.`}
      submit="Save"
      done="Saved"
    >
      {guide.ownNames?.includes("events") && (
        <TextareaField
          label="Events"
          name="events"
          optional
          rows={5}
          maxLength={12_000}
          spellCheck={false}
          defaultValue={lines.join("\n")}
          placeholder={`My first purchase = ${example}`}
          hint="One a line: your name = the documented name."
        />
      )}
      {guide.ownNames?.includes("userIdKey") && (
        <Field
          label="Metadata key of the user id"
          name="userIdKey"
          optional
          maxLength={40}
          autoComplete="off"
          spellCheck={false}
          defaultValue={userIdKey ?? ""}
          hint="Looked for before the keys that are read anyway."
        />
      )}
    </ConfirmDialog>
  );
}
