"use client";

import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { Field, TextareaField } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import { SAMPLE_INVITER, SAMPLE_METACODE } from "@/lib/contract/landing";
import {
  fillText,
  OWN_TEXT_KEYS,
  OWN_TEXTS,
  type OwnTextKey,
  type OwnTexts,
  placeholdersOf,
} from "@/lib/contract/landing-texts";
import { SettingsForm } from "./settings-form";

interface Props {
  action: FormAction<void>;
  app: { id: string; name: string; accentColor: string | null };
  language: string;
  direction: "ltr" | "rtl";
  own: OwnTexts;
  defaults: Record<OwnTextKey, string>;
  /** The address of the preview in this language. */
  preview: string;
  readOnly: boolean;
}

/** Texts that may be longer get a field of several lines. */
const LONG = 120;

/** The texts of the landing page in one language, with a live preview beside them. */
export function LandingTextsForm({ action, app, language, direction, own, defaults, ...rest }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const values = { app: app.name, inviter: SAMPLE_INVITER, metacode: SAMPLE_METACODE };
  const show = () => {
    const texts = OWN_TEXT_KEYS.map((key) => [
      key,
      fillText(typed(root.current, key) || defaults[key], values),
    ]);
    // The sandboxed preview has no origin to name, and the texts are on the screen already.
    frame.current?.contentWindow?.postMessage(Object.fromEntries(texts), "*");
  };
  const clear = () => {
    for (const key of OWN_TEXT_KEYS) {
      const field = fieldOf(root.current, key);
      if (field) field.value = "";
    }
    show();
  };
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <div ref={root} onInput={show}>
        <SettingsForm
          action={action}
          appId={app.id}
          fields={OWN_TEXT_KEYS}
          stored={own}
          readOnly={rest.readOnly}
        >
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
                  hint: `${names.join(", ")} · up to ${maxLength} characters`,
                };
                return maxLength > LONG ? (
                  <TextareaField key={key} {...shared} rows={3} />
                ) : (
                  <Field key={key} {...shared} />
                );
              })}
              {!rest.readOnly && (
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
      <iframe
        ref={frame}
        // A changed colour loads the preview again.
        key={`${rest.preview} ${app.accentColor}`}
        title="Preview of the landing page"
        src={rest.preview}
        onLoad={show}
        sandbox="allow-scripts"
        className="h-[34rem] w-full rounded-lg border border-line bg-page lg:sticky lg:top-6"
      />
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
}

const ACCENT_FIELDS = ["accentColor"] as const;

/** The colour of the buttons and outlines on the landing page. */
export function AccentForm({ action, app, readOnly }: AccentProps) {
  return (
    <SettingsForm action={action} appId={app.id} fields={ACCENT_FIELDS} stored={app} readOnly={readOnly}>
      {(state) => (
        <Field
          label="Accent colour"
          name="accentColor"
          placeholder="#1d4ed8"
          defaultValue={app.accentColor ?? ""}
          hint="Any colour works. Where it would be hard to read, in light or in dark mode, the page uses the nearest readable one."
          optional
          state={state}
        />
      )}
    </SettingsForm>
  );
}
