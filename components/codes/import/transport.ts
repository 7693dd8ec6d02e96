import type { FormState } from "@/lib/contract/form-state";

export type UploadError = NonNullable<FormState["error"]>;

/** An upload without a result: refused with a message, or cancelled without one. */
export class UploadFailure extends Error {
  constructor(
    readonly error: UploadError | undefined,
    /** Whether the response broke off, so that only the server knows the outcome. */
    readonly lost = false,
  ) {
    super(error?.message ?? "Cancelled");
  }
}

/** The progress of an upload: bytes sent, and the bytes and rows that the service has processed. */
export interface UploadProgress {
  sent: number;
  bytes?: number;
  read?: number;
}

/** One line of a progress response: the progress so far, or the outcome. */
interface Line<Progress, Result> {
  progress?: Progress;
  result?: Result;
  error?: UploadError;
}

export const LOST = "The connection was lost. Try again.";

/** The complete lines of a growing text. */
export function readLines<Progress, Result = Progress>(text: string): Line<Progress, Result>[] {
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line<Progress, Result>);
}

/**
 * Sends a file and reads the lines of the response. An XMLHttpRequest, because `fetch` does not report the progress of
 * an upload. Rejects with {@link UploadFailure}.
 */
export function uploadFile<Result>(
  url: string,
  file: Blob,
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const progress: UploadProgress = { sent: 0 };
    const lastLine = () => readLines<Omit<UploadProgress, "sent">, Result>(request.responseText).at(-1);
    const fail = (error: UploadError | undefined) => reject(new UploadFailure(error));
    const lose = async () => {
      // The browser reads the file again for each upload, and cannot once the file has changed on the disk.
      const readable = await file
        .slice(0, 1)
        .arrayBuffer()
        .then(Boolean, () => false);
      if (readable) reject(new UploadFailure({ message: LOST }, true));
      else fail({ message: "The file has changed or moved since you chose it. Choose it again." });
    };
    request.upload.onprogress = ({ loaded }) => onProgress(Object.assign(progress, { sent: loaded }));
    request.onprogress = () => {
      const last = lastLine();
      if (last?.progress) onProgress(Object.assign(progress, last.progress));
    };
    request.onload = () => {
      const last = isLines(request) ? lastLine() : undefined;
      if (last?.result) resolve(last.result);
      else if (last?.error) fail(last.error);
      else if (request.status === 413) fail({ message: "The file is too large." });
      else lose();
    };
    request.onerror = lose;
    request.onabort = () => fail(undefined);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", url);
    request.setRequestHeader("Content-Type", "text/plain");
    request.send(file);
  });
}

function isLines(request: XMLHttpRequest): boolean {
  return request.getResponseHeader("Content-Type")?.includes("ndjson") ?? false;
}

const SIZES = ["bytes", "KB", "MB"];

/** The size of a file, such as "12 KB". */
export function sizeOf(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1_000 ** power).toFixed(power === 2 ? 1 : 0)} ${SIZES[power]}`;
}

/** Sends a file and returns the file in the response. Rejects with {@link UploadFailure}. */
export async function exchangeFile(url: string, file: Blob): Promise<Blob> {
  const response = await fetch(url, {
    method: "POST",
    body: file,
    headers: { "Content-Type": "text/plain" },
  }).catch(() => undefined);
  if (response?.ok) return response.blob();
  throw new UploadFailure({ message: LOST }, true);
}
