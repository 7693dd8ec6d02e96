"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { toast } from "./toast";

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies a text, then shows and announces that it did. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const onClick = async () => {
    const done = await copy(text);
    setCopied(done);
    if (!done) toast("Your browser blocked copying. Select the text and copy it by hand.");
  };
  const Icon = copied ? Check : Copy;
  return (
    <>
      <button
        type="button"
        onClick={onClick}
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
