"use client";

import { Check, Copy, FileText, Pencil } from "lucide-react";
import { useCopy } from "@/components/ui/copy-button";

interface Props {
  /** The address of the page as Markdown. */
  markdown: string;
  /** The address at which the page can be edited, if the operator has set one. */
  edit: string | undefined;
}

const ACTION =
  "inline-flex min-h-8 items-center gap-1.5 rounded-md px-2 text-note text-muted hover:bg-subtle hover:text-ink pointer-coarse:min-h-10";

async function load(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error("The page is missing as Markdown");
  return response.text();
}

/** Buttons that copy a page, show its Markdown, and edit it. */
export function PageActions({ markdown, edit }: Props) {
  const { copied, copy } = useCopy(() => load(markdown));
  const Icon = copied ? Check : Copy;
  return (
    <div className="-mx-2 flex flex-wrap items-center">
      <button type="button" onClick={copy} className={ACTION}>
        <Icon className={`size-3.5 ${copied ? "text-good" : ""}`} aria-hidden />
        Copy page
      </button>
      <span role="status" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
      <a href={markdown} className={ACTION}>
        <FileText className="size-3.5" aria-hidden />
        View as Markdown
      </a>
      {edit && (
        <a href={edit} className={ACTION}>
          <Pencil className="size-3.5" aria-hidden />
          Edit this page
        </a>
      )}
    </div>
  );
}
