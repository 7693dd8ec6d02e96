interface Line<Progress> {
  progress?: Progress;
  result?: Progress;
  error?: { message: string };
}

/** Sends a request and reads the lines of its growing answer, each the state so far. Throws an Error with a message. */
export async function readProgress<Progress>(
  url: string,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const response = await fetch(url, { method: "POST" }).catch(() => undefined);
  const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader || !response?.headers.get("content-type")?.includes("ndjson")) throw new Error(LOST);
  let text = "";
  let ended = false;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const { progress, result, error } = JSON.parse(line) as Line<Progress>;
      if (error) throw new Error(error.message);
      const state = result ?? progress;
      if (state) onProgress(state);
      ended = result !== undefined;
    }
  }
  if (!ended) throw new Error(LOST);
}

const LOST = "The connection was lost. Try again.";
