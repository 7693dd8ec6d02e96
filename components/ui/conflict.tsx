"use client";

import { useEffect, useRef, useState } from "react";
import { type EditConflict, SEEN_FIELD } from "@/lib/contract/form-state";
import { Button } from "./button";
import { LocalTime } from "./time";
import { forgetInput } from "./unsaved";

/** Both versions of a form that someone else saved first, field by field, with the choice between the two. */
export function ConflictChoice({ changes, seen }: EditConflict) {
  const root = useRef<HTMLDivElement>(null);
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  useEffect(() => {
    setForm(root.current?.closest("form") ?? null);
    root.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={root} className="grid gap-3 rounded-md border border-line bg-surface p-3 text-sm text-ink">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <div tabIndex={0} className="overflow-x-auto">
        <table aria-label="Both versions" className="w-full text-note">
          <thead className="text-left text-xs text-muted">
            <tr>
              {["Field", "Saved", "Yours"].map((name) => (
                <th key={name} scope="col" className="pr-3 pb-1.5 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {changes.map(({ field, before, after }) => {
              const controls = controlsOf(form, field);
              return (
                <tr key={field} className="align-top">
                  <th scope="row" className="py-1.5 pr-3 text-left font-medium">
                    {labelOf(controls) || field}
                  </th>
                  <td className="py-1.5 pr-3 wrap-anywhere whitespace-pre-wrap">
                    {shown(before, controls, false)}
                  </td>
                  <td className="py-1.5 wrap-anywhere whitespace-pre-wrap">{shown(after, controls, true)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="secondary" size="sm" name={SEEN_FIELD} value={seen}>
          Save mine anyway
        </Button>
        <Button variant="ghost" size="sm" onClick={discard}>
          Discard mine and reload
        </Button>
      </div>
    </div>
  );
}

function discard(): void {
  forgetInput();
  window.location.reload();
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * The control of a field, or the controls of its choices. Fields of a campaign's stores are named by their place in the form,
 * such as `platforms.ios.threshold`, and lists by `name[]`.
 */
function controlsOf(form: HTMLFormElement | null, field: string): Control[] {
  const names = [field, `platforms.${field}`, `${field}[]`];
  const controls = [...(form?.elements ?? [])] as Control[];
  return controls.filter(({ name }) => names.includes(name));
}

const isChoice = (control: Control | undefined) =>
  control?.type === "radio" || (control?.type === "checkbox" && control.name.endsWith("[]"));

/** The form's label of a field, with the name of its group where other groups have a field with the same label. */
function labelOf([control]: Control[]): string | null | undefined {
  if (!control) return undefined;
  const named = control.closest<HTMLElement>("[data-label]")?.dataset.label;
  if (named) return named;
  const group = control.closest("fieldset");
  if (isChoice(control)) return group?.querySelector("legend")?.textContent;
  const own =
    control.getAttribute("aria-label") ?? choiceText(control) ?? control.labels?.[0]?.firstChild?.textContent;
  return group?.ariaLabel ? `${group.ariaLabel}: ${own}` : own;
}

/** The text beside a checkbox or radio button, without its explanation. */
const choiceText = (control: Control) => control.labels?.[0]?.querySelector("span span")?.textContent;

/** The texts of a field's values. */
function textsOf(controls: Control[]): Map<string, string> {
  const [control] = controls;
  if (isChoice(control)) return new Map(controls.map((choice) => [choice.value, choiceText(choice) ?? ""]));
  if (control?.type === "checkbox" || control?.type === "hidden")
    return new Map(Object.entries({ true: "On", false: "Off" }));
  return new Map(
    controls.flatMap((select) =>
      select instanceof HTMLSelectElement ? [...select.options].map(({ value, text }) => [value, text]) : [],
    ),
  );
}

/** A day as the stores count it. */
const storeDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "America/Los_Angeles" });

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value as the form shows it: several choices as a list, an image as the image. */
function shown(value: string | null, controls: Control[], mine: boolean) {
  if (!value) return <span className="text-muted">Empty</span>;
  const [picture] = controls.filter(({ dataset }) => dataset.pictures);
  if (picture) {
    const src = mine ? `data:image/png;base64,${picture.value}` : picture.dataset.pictures + value;
    // biome-ignore lint/performance/noImgElement: the file is as small as it is shown
    return <img src={src} alt={mine ? "Your icon" : "The saved icon"} className="size-12 rounded-lg" />;
  }
  if (TIME.test(value)) {
    const at = new Date(value);
    return controls[0]?.type === "date" ? storeDay.format(at) : <LocalTime at={at} />;
  }
  const texts = textsOf(controls);
  const parts = () => value.split(", ").map((part) => texts.get(part) ?? part);
  return texts.get(value) ?? parts().join(", ");
}
