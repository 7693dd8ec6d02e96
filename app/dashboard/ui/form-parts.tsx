"use client";

import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ProviderMark } from "@/components/provider/connection-list";
import { ActButton } from "@/components/ui/act-button";
import { AutoRefresh } from "@/components/ui/auto-refresh";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CheckGroup } from "@/components/ui/check-group";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { ConfirmButton } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogButton } from "@/components/ui/dialog-button";
import { CheckField, Field, FormError, SelectField, TextareaField } from "@/components/ui/field";
import { Fold } from "@/components/ui/fold";
import { FormActions } from "@/components/ui/form-actions";
import { announcePage } from "@/components/ui/loading-bar";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import { useSecretReveal } from "@/components/ui/secret-reveal";
import { Section } from "@/components/ui/section";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import { toast } from "@/components/ui/toast";
import type { FormState } from "@/lib/contract/form-state";

const VARIANTS = ["primary", "secondary", "ghost", "danger"] as const;
export const CHOICES = [
  { value: "ios", name: "iOS", hint: "Codes of the App Store" },
  { value: "android", name: "Android", hint: "Codes of Google Play" },
];
const FAULTY: FormState = { error: { field: "name", message: "name must be at most 80 characters" } };
const CHANGED = { field: "name", before: "Anna", after: "Ann" };
const CONFLICT: FormState = {
  error: { message: "Someone else has saved this form", conflict: { changes: [CHANGED], seen: "{}" } },
};
const REFUSED: FormState = { error: { message: "The pool has codes, so it cannot be deleted" } };

/** A form action that does nothing, because the page has no data. */
export const done = async (): Promise<FormState<void>> => ({ ok: { result: undefined } });

/** Parts that belong together. */
export function PartGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mb-8 grid break-inside-avoid grid-cols-1 gap-3">
      <h2 className="border-b border-line pb-1.5 text-note font-medium text-muted">{title}</h2>
      {children}
    </div>
  );
}

/** Parts side by side. */
export const PartRow = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
);

/** Buttons of every look and size. */
export function Buttons() {
  return (
    <PartGroup title="Buttons">
      {(["sm", "md", "lg"] as const).map((size) => (
        <PartRow key={size}>
          {VARIANTS.map((variant) => (
            <Button key={variant} size={size} variant={variant}>
              {variant}
            </Button>
          ))}
        </PartRow>
      ))}
      <PartRow>
        {VARIANTS.map((variant) => (
          <Button key={variant} variant={variant} disabled>
            Disabled
          </Button>
        ))}
      </PartRow>
      <PartRow>
        <Button pending>Pending</Button>
        <Button variant="secondary" pending>
          Pending
        </Button>
        <ActButton action={done} hidden={{}} done="Done">
          Act at once
        </ActButton>
        <CopyButton text="k7m2p9xd" label="Copy the metacode" />
        <ThemeToggle />
      </PartRow>
    </PartGroup>
  );
}

/** Fields of every kind. */
export function Fields() {
  return (
    <PartGroup title="Fields">
      <form className="grid gap-4">
        <Field label="Name" name="filled" defaultValue="Anna" hint="The name that friends see." />
        <Field label="Empty" name="empty" placeholder="invite.example.com" optional />
        <Field label="Invalid" name="name" defaultValue="Anna" state={FAULTY} />
        <Field label="Disabled" name="disabled" defaultValue="Anna" disabled />
        <TextareaField label="Several lines" name="lines" defaultValue="Open the app." rows={2} />
        <TextareaField label="Several invalid lines" name="name" rows={2} state={FAULTY} />
        <TextareaField
          label="Several disabled lines"
          name="off"
          defaultValue="Open the app."
          rows={2}
          disabled
        />
        <SelectField label="Choice" name="choice" choices={CHOICES} />
        <SelectField label="Invalid choice" name="name" choices={CHOICES} state={FAULTY} />
        <SelectField label="Disabled choice" name="fixed" choices={CHOICES} disabled />
        <CheckField label="Checked" name="checked" defaultChecked hint="With an explanation." />
        <CheckField label="Not checked" name="unchecked" />
        <CheckField label="Disabled" name="locked" disabled />
        <CheckGroup legend="Several" name="several" choices={CHOICES} chosen={["ios"]} />
        <ChoiceCards
          legend="One of several"
          name="one"
          value="ios"
          choices={[...CHOICES, { value: "web", name: "Web", hint: "Not available", disabled: true }]}
          wide
        />
        <ChoiceCards
          legend="With pictures"
          name="pictured"
          value="revenuecat"
          choices={[
            { value: "revenuecat", name: "RevenueCat", mark: <ProviderMark provider="revenuecat" /> },
            { value: "generic", name: "Your own server", mark: <ProviderMark provider="generic" /> },
          ]}
          wide="always"
        />
      </form>
    </PartGroup>
  );
}

/** Sections of a form. */
export function Forms() {
  return (
    <PartGroup title="Sections of a form">
      <Section title="Section" hint="One line about the content." action={<Badge>Draft</Badge>}>
        <FormError state={REFUSED} />
        <FormActions submit="Create pool" pending={false} onCancel={() => undefined} />
        <FormActions submit="Delete pool" variant="danger" pending onCancel={() => undefined} />
      </Section>
      <Section title="Dangerous section" tone="danger">
        <p className="text-sm">What it ends or deletes.</p>
      </Section>
      <Fold title="Closed" hint="Settings that most readers can leave unchanged." fields={[]} state={{}}>
        <p className="text-sm">Content</p>
      </Fold>
      <Fold
        title="Open, because of an error"
        hint="One of its fields is wrong."
        fields={["name"]}
        state={FAULTY}
      >
        <Field label="Name" name="name" state={FAULTY} />
      </Fold>
    </PartGroup>
  );
}

/** Dialogs, secrets and toasts. */
export function Overlays() {
  const reveal = useSecretReveal();
  const secret = { name: "Key", text: "mc_live_k7m2p9xd", secret: true };
  const [conflict, setConflict] = useState(false);
  const [fresh, setFresh] = useState(false);
  const load = () => {
    announcePage(new URL("/dashboard", window.location.href));
    setTimeout(() => announcePage(new URL(window.location.href)), 2_000);
  };
  return (
    <PartGroup title="Overlays">
      <PartRow>
        <DialogButton label="Open dialog" icon={Plus} title="Create pool" description="One line about it.">
          {(close) => (
            <form className="grid gap-4">
              <Field label="Name" name="name" />
              <FormActions submit="Create pool" pending={false} onCancel={close} />
            </form>
          )}
        </DialogButton>
        <ConfirmButton
          label="Delete app"
          look={{ variant: "danger" }}
          title="Delete app?"
          description="Its links stop working. It can be restored for 30 days."
          submit="Delete app"
          typed="Acme"
          danger
          action={done}
          hidden={{}}
        />
        <Menu label="Other actions">
          <MenuItem onSelect={() => toast("Renamed")}>Rename</MenuItem>
          <MenuItem onSelect={() => undefined} disabled>
            Move
          </MenuItem>
          <MenuLine />
          <MenuItem onSelect={() => toast("Deleted")} tone="danger">
            Delete
          </MenuItem>
        </Menu>
        <Button variant="secondary" onClick={() => reveal({ title: "Key created", rows: [secret] })}>
          Show secret
        </Button>
        <Button variant="secondary" onClick={() => toast("Settings saved")}>
          Show toast
        </Button>
        <Button variant="secondary" onClick={() => setConflict(!conflict)}>
          Show conflict
        </Button>
        <Button variant="secondary" onClick={load}>
          Show loading bar
        </Button>
        <Button variant="secondary" onClick={() => setFresh(!fresh)}>
          Keep fresh
        </Button>
      </PartRow>
      {conflict && (
        <form>
          <Field label="Name" name="name" defaultValue="Ann" />
          <FormError state={CONFLICT} />
        </form>
      )}
      {fresh && <AutoRefresh />}
    </PartGroup>
  );
}
