"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, inputClass, Labelled, TextareaField } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { accentOf, DEFAULT_ACCENT } from "@/lib/contract/colour";
import type { FormAction } from "@/lib/contract/form-state";
import { PREVIEWED } from "@/lib/contract/landing";
import {
  fillText,
  lacksInviter,
  OWN_TEXT_KEYS,
  OWN_TEXTS,
  type OwnTextKey,
  type OwnTexts,
  placeholdersOf,
} from "@/lib/contract/landing-texts";
import { LandingPreview } from "./landing-preview";
import { SettingsForm } from "./settings-form";

interface TextProps {
  action: FormAction<void>;
  app: { id: string; name: string; accentColor: string | null; iconHash: string | null };
  language: string;
  direction: "ltr" | "rtl";
  own: OwnTexts;
  defaults: Record<OwnTextKey, string>;
  readOnly: boolean;
}

interface Props extends TextProps {
  accentAction: FormAction<void>;
  /** The form of the icon. */
  icon: ReactNode;
  /** The choice of the language. */
  languages: ReactNode;
  /** Further settings below the texts. */
  children: ReactNode;
}

/** The settings of the landing page beside a live preview of what is typed. */
export function LandingEditor({ accentAction, icon, languages, children, ...texts }: Props) {
  const { app, language, defaults, readOnly } = texts;
  const [accent, setAccent] = useState(app.accentColor ?? "");
  const form = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const values = { app: app.name, ...PREVIEWED };
  const show = (edited?: string) => {
    const filled = OWN_TEXT_KEYS.map((key) => [
      key,
      fillText(typed(form.current, key) || defaults[key], values),
    ]);
    // To any origin, because the sandboxed preview has none, and the texts are on the screen anyway.
    frame.current?.contentWindow?.postMessage({ ...Object.fromEntries(filled), edited }, "*");
  };
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 gap-5">
        <Section title="Look" hint="The colour and the icon of the landing page and the share image.">
          <AccentForm
            action={accentAction}
            app={app}
            readOnly={readOnly}
            value={accent}
            onChange={setAccent}
          />
          <div className="grid gap-2 border-t border-line pt-4">
            <h3 className="text-sm font-medium">Icon</h3>
            {icon}
          </div>
        </Section>
        <Section
          title="Texts"
          hint="Empty fields use the default text, shown in grey. Visitors see changes within 10 seconds."
          action={languages}
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the preview follows the focus of the fields */}
          <div
            ref={form}
            onInput={() => show()}
            onFocus={({ target }) => show((target as HTMLInputElement).name)}
          >
            <TextsForm key={language} {...texts} onClear={() => show()} />
          </div>
        </Section>
        {children}
      </div>
      <LandingPreview
        frame={frame}
        base={`/dashboard/apps/${app.id}`}
        query={{ lang: language, accent: useSettled(accent), icon: app.iconHash ?? "" }}
        onLoad={() => show()}
      />
    </div>
  );
}

/** Milliseconds after the last change until the preview is loaded, because a colour picker reports every movement. */
const SETTLED = 150;

/** A value once it has not changed for {@link SETTLED} milliseconds. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Characters. A text that may be longer gets a field of several lines. */
const LONG = 120;

/** The texts of the landing page in one language. */
function TextsForm(props: TextProps & { onClear: () => void }) {
  const { action, app, language, direction, own, defaults, readOnly, onClear } = props;
  const root = useRef<HTMLDivElement>(null);
  const clear = () => {
    for (const key of OWN_TEXT_KEYS) {
      const field = fieldOf(root.current, key);
      if (field) field.value = "";
    }
    onClear();
  };
  return (
    <div ref={root}>
      <SettingsForm action={action} appId={app.id} fields={OWN_TEXT_KEYS} stored={own} readOnly={readOnly}>
        {(state) => (
          <>
            <input type="hidden" name="language" value={language} />
            {OWN_TEXT_KEYS.map((key) => {
              const { label, maxLength } = OWN_TEXTS[key];
              const names = placeholdersOf(key).map((name) => `{${name}}`);
              const shared = {
                label,
                name: key,
                lang: language,
                dir: direction,
                maxLength,
                state,
                defaultValue: own[key] ?? "",
                placeholder: defaults[key],
                optional: true,
                hint: `${names.join(", ")}${lacksInviter(key, "") ? " · must contain {inviter}" : ""} · up to ${maxLength} characters`,
              };
              return maxLength > LONG ? (
                <TextareaField key={key} {...shared} rows={3} />
              ) : (
                <Field key={key} {...shared} />
              );
            })}
            {!readOnly && (
              <div>
                <Button variant="secondary" onClick={clear}>
                  Clear all fields
                </Button>
              </div>
            )}
          </>
        )}
      </SettingsForm>
    </div>
  );
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

function fieldOf(root: HTMLElement | null, key: OwnTextKey): TextField | null {
  return root?.querySelector<TextField>(`[name="${key}"]`) ?? null;
}

function typed(root: HTMLElement | null, key: OwnTextKey): string {
  return fieldOf(root, key)?.value.trim() ?? "";
}

interface AccentProps {
  action: FormAction<void>;
  app: { id: string; accentColor: string | null };
  readOnly: boolean;
  value: string;
  onChange: (value: string) => void;
}

const ACCENT_FIELDS = ["accentColor"] as const;

const COLOUR = /^#[0-9a-f]{6}$/i;

/** The colour of the buttons and outlines on the landing page: from a picker, or typed. */
function AccentForm({ action, app, readOnly, value, onChange }: AccentProps) {
  return (
    <SettingsForm action={action} appId={app.id} fields={ACCENT_FIELDS} stored={app} readOnly={readOnly}>
      {(state) => (
        <Labelled label="Accent colour" name="accentColor" hint={readability(value)} optional state={state}>
          {(control) => (
            <div className="flex gap-2">
              <input
                type="color"
                aria-label="Pick the accent colour"
                value={COLOUR.test(value) ? value : DEFAULT_ACCENT}
                onChange={(event) => onChange(event.target.value)}
                className="h-9 w-12 shrink-0 rounded-md border border-line-strong/60 bg-surface p-1 pointer-coarse:h-11"
              />
              <input
                {...control}
                name="accentColor"
                placeholder={DEFAULT_ACCENT}
                autoCapitalize="none"
                spellCheck={false}
                value={value}
                onChange={(event) => onChange(event.target.value.trim())}
                className={inputClass}
              />
            </div>
          )}
        </Labelled>
      )}
    </SettingsForm>
  );
}

/** A note about the colour schemes in which the page cannot use the colour as it is. */
function readability(value: string): string {
  if (value === "") return "Pick a colour, or type one such as #1d4ed8.";
  if (!COLOUR.test(value)) return "A colour has a # and six digits or letters from a to f, such as #1d4ed8.";
  const color = value.toLowerCase();
  const changed = (["light", "dark"] as const)
    .map((scheme) => ({ scheme, ...accentOf(color, scheme) }))
    .filter(({ text, fill }) => text !== color || fill !== color);
  if (changed.length === 0) return "Easy to read in light and dark mode.";
  const uses = changed.map(({ scheme, text }) => `${text} in ${scheme} mode`).join(" and ");
  return `Hard to read as it is, so text uses ${uses}.`;
}
