"use client";

import { useEffect, useRef, useState } from "react";
import { type EditConflict, SEEN_FIELD } from "@/lib/contract/form-state";
import { Button } from "./button";
import { forgetInput } from "./unsaved";

/** Both versions of a form that was saved elsewhere first, field by field, with the choice between the two. */
export function ConflictChoice({ changes, seen }: EditConflict) {
  const root = useRef<HTMLDivElement>(null);
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  useEffect(() => {
    setForm(root.current?.closest("form") ?? null);
    root.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={root} className="grid gap-3 rounded-md border border-line bg-surface p-3 text-sm text-ink">
      <div className="overflow-x-auto">
        <table className="w-full text-note">
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
              const control = controlOf(form, field);
              const boxes = boxesOf(form, field);
              return (
                <tr key={field} className="align-top">
                  <th scope="row" className="py-1.5 pr-3 text-left font-medium">
                    {control?.labels?.[0]?.firstChild?.textContent || legendOf(boxes) || fieldLabel(field)}
                  </th>
                  <td className="py-1.5 pr-3 wrap-anywhere whitespace-pre-wrap">
                    {shown(before, choicesOf(control, boxes))}
                  </td>
                  <td className="py-1.5 wrap-anywhere whitespace-pre-wrap">
                    {shown(after, choicesOf(control, boxes))}
                  </td>
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

/** The control of a field; those of a campaign's stores are named by the place in the form, `platforms.ios.threshold`. */
function controlOf(form: HTMLFormElement | null, field: string): Control | undefined {
  const named = form?.elements.namedItem(field) ?? form?.elements.namedItem(`platforms.${field}`);
  return named && "labels" in named ? (named as Control) : undefined;
}

/** The checkboxes of a field with several values. */
const boxesOf = (form: HTMLFormElement | null, field: string) => [
  ...(form?.querySelectorAll<HTMLInputElement>(`input[name="${field}[]"]`) ?? []),
];

const legendOf = ([box]: HTMLInputElement[]) =>
  box?.closest("fieldset")?.querySelector("legend")?.textContent;

/** The texts of a field's choices by their values. */
function choicesOf(control: Control | undefined, boxes: HTMLInputElement[]): Map<string, string> {
  const options = control instanceof HTMLSelectElement ? [...control.options] : [];
  return new Map([
    ...options.map(({ value, text }) => [value, text] as const),
    ...boxes.map(
      (box) => [box.value, box.labels?.[0]?.querySelector("span span")?.textContent ?? ""] as const,
    ),
  ]);
}

/** A value in the words of the form; that of checkboxes is a list. */
function shown(value: string | null, choices: Map<string, string>) {
  const text =
    choices.get(value ?? "") ??
    value
      ?.split(", ")
      .map((part) => choices.get(part) ?? part)
      .join(", ");
  return text || <span className="text-muted">Empty</span>;
}

/** `ios.rewardCap` in words: "iOS reward cap". */
function fieldLabel(field: string): string {
  const text = field
    .replace(/([A-Z])/g, " $1")
    .replace(".", " ")
    .toLowerCase();
  return text.startsWith("ios ") ? `iOS${text.slice(3)}` : text.charAt(0).toUpperCase() + text.slice(1);
}
