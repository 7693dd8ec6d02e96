"use client";

import { FileUp } from "lucide-react";
import { type ChangeEvent, type DragEvent, useId, useState } from "react";
import type { CodeFile } from "./use-import";

const SIZES = ["bytes", "KB", "MB"];

function sizeOf(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1_000 ** power).toFixed(power === 2 ? 1 : 0)} ${SIZES[power]}`;
}

interface Props {
  file: CodeFile | undefined;
  onPick: (file: CodeFile) => void;
}

/** Accepts a dropped file, or one chosen with the browser's own control, which also works by keyboard. */
export function FilePicker({ file, onPick }: Props) {
  const [over, setOver] = useState(false);
  const id = useId();
  const pick = (picked: File | undefined) => picked && onPick({ blob: picked, name: picked.name });
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    pick(event.dataTransfer.files[0]);
  };
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    pick(target.files?.[0]);
    // Lets the user choose the same file again after it has changed.
    target.value = "";
  };
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={`grid cursor-pointer justify-items-center gap-2 rounded-xl border border-dashed px-6 py-10 text-center has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${over ? "border-accent bg-accent-soft" : "border-line-strong/60 bg-surface hover:bg-subtle/60"}`}
    >
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
        onChange={onChange}
        className="sr-only"
      />
      <FileUp className="size-5 text-muted" aria-hidden />
      {file ? (
        <span className="text-sm">
          <strong className="font-semibold break-all">{file.name}</strong>{" "}
          <span className="text-muted">({sizeOf(file.blob.size)})</span>
        </span>
      ) : (
        <span className="text-sm font-medium">Drop a file here or choose one</span>
      )}
      <span className="text-[13px] text-muted">
        {file
          ? "Drop or choose another file"
          : "CSV or text from App Store Connect or Play Console, up to 128 MB"}
      </span>
    </label>
  );
}
