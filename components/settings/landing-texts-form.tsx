"use client";

import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { Field, TextareaField } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import { SAMPLE_INVITER, SAMPLE_METACODE } from "@/lib/contract/landing-sample";
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
  /** Address of the page's preview in this language. */
  preview: string;
  readOnly: boolean;
}

/** A text longer than this gets a field of several lines. */
const LONG = 120;

/** What the landing page says in one language, with the page beside it as it is typed. */
export function LandingTextsForm({ action, app, language, direction, own, defaults, ...rest }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const values = { app: app.name, inviter: SAMPLE_INVITER, metacode: SAMPLE_METACODE };
  const show = () => {
    const texts = OWN_TEXT_KEYS.map((key) => [
      key,
      fillText(typed(root.current, key) || defaults[key], values),
    ]);
    // The preview has no origin of its own, being sandboxed, and what it is told is on the screen already.
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
        <SettingsForm action={action} appId={app.id} fields={OWN_TEXT_KEYS} readOnly={rest.readOnly}>
          {(state) => (
            <>
              <input type="hidden" name="language" value={language} />
              {OWN_TEXT_KEYS.map((key) => {
                const { label, most } = OWN_TEXTS[key];
                const names = placeholdersOf(key).map((name) => `{${name}}`);
                const shared = {
                  ...{ label, name: key, lang: language, dir: direction, maxLength: most, state },
                  ...{ defaultValue: own[key] ?? "", placeholder: defaults[key], optional: true },
                  hint: `${names.join(", ")} · at most ${most} characters`,
                };
                return most > LONG ? (
                  <TextareaField key={key} {...shared} rows={3} />
                ) : (
                  <Field key={key} {...shared} />
                );
              })}
              {!rest.readOnly && (
                <div>
                  <Button variant="secondary" onClick={clear}>
                    Empty all fields
                  </Button>
                </div>
              )}
            </>
          )}
        </SettingsForm>
      </div>
      <iframe
        ref={frame}
        // A saved colour is another page.
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
