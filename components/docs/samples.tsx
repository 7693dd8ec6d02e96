"use client";

import { type KeyboardEvent, useId } from "react";
import { CodeLines } from "@/components/ui/code";
import { CopyButton } from "@/components/ui/copy-button";
import { storedText, useStoredText } from "@/components/ui/stored-text";
import { type DocsCode, SAMPLE_KEY } from "@/lib/contract/docs";
import { useSandboxKey } from "./sandbox-key";

const NAMES: Readonly<Record<string, string>> = {
  sh: "curl",
  ts: "TypeScript",
  swift: "Swift",
  kotlin: "Kotlin",
  dart: "Dart",
  csharp: "C#",
};

const languageStore = storedText(() => localStorage, "metacode.language");

/** One request in several languages. All samples share the reader's language and sandbox key. */
export function Samples({ samples }: { samples: readonly DocsCode[] }) {
  const id = useId();
  const key = useSandboxKey().key || SAMPLE_KEY;
  const language = useStoredText(languageStore) || "sh";
  const index = Math.max(
    samples.findIndex((sample) => sample.language === language),
    0,
  );
  const sample = samples[index];
  if (!sample) return null;
  const withKey = (text: string) => text.replaceAll(SAMPLE_KEY, key);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && samples[(index + step + samples.length) % samples.length];
    if (!next) return;
    event.preventDefault();
    languageStore.store(next.language);
    document.getElementById(`${id}-${next.language}`)?.focus();
  };
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border border-line bg-subtle">
      <figcaption className="flex h-10 items-center gap-2 border-b border-line pr-1 pl-2">
        <div role="tablist" aria-label="Language" className="flex min-w-0 flex-1 gap-0.5 overflow-x-auto">
          {samples.map(({ language: own }, at) => (
            <button
              key={own}
              id={`${id}-${own}`}
              type="button"
              role="tab"
              aria-selected={at === index}
              aria-controls={`${id}-code`}
              tabIndex={at === index ? 0 : -1}
              onClick={() => languageStore.store(own)}
              onKeyDown={onKeyDown}
              className="h-8 rounded-md px-2 text-xs whitespace-nowrap text-muted hover:text-ink aria-selected:bg-surface aria-selected:font-medium aria-selected:text-ink"
            >
              {NAMES[own] ?? own}
            </button>
          ))}
        </div>
        <CopyButton text={withKey(sample.text)} label={`Copy this ${NAMES[sample.language]} sample`} />
      </figcaption>
      <div role="tabpanel" id={`${id}-code`} aria-labelledby={`${id}-${sample.language}`}>
        <CodeLines
          lines={(sample.lines ?? []).map((pieces) =>
            pieces.map((piece) => ({ ...piece, text: withKey(piece.text) })),
          )}
        />
      </div>
    </figure>
  );
}
