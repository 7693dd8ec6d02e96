"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { toast } from "./toast";

type Source = string | (() => Promise<string>);

async function write(source: Source): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(typeof source === "string" ? source : await source());
    return true;
  } catch {
    return false;
  }
}

/** Copies a text, then says for two seconds that it did. */
export function useCopy(source: Source): { copied: boolean; copy: () => Promise<void> } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    const done = await write(source);
    setCopied(done);
    if (!done) toast("Your browser blocked copying. Select the text and copy it by hand.");
  };
  return { copied, copy };
}

/** Copies a text, then shows and announces that it did. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text);
  const Icon = copied ? Check : Copy;
  return (
    <>
      <button
        type="button"
        onClick={copy}
        aria-label={label}
        className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-subtle hover:text-ink"
      >
        <Icon className={`size-4 ${copied ? "text-good" : ""}`} aria-hidden />
      </button>
      <span role="status" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}
