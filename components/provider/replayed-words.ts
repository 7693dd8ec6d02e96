import { type ReplayedChunk, VERDICTS } from "@/lib/contract/provider";
import { VERDICT_WORDS } from "./verdicts";

/** What became of replayed events in one line, such as "12 confirmed, 3 still nobody’s". */
export function replayedWords(became: ReplayedChunk["became"], running: boolean): string {
  const counts = VERDICTS.flatMap((verdict) => {
    const count = became[verdict] ?? 0;
    const name = verdict === "unmatched" ? "still nobody’s" : VERDICT_WORDS[verdict].name.toLowerCase();
    return count > 0 ? [`${count} ${name}`] : [];
  });
  if (running) return counts.length > 0 ? `So far: ${counts.join(", ")} …` : "Begun …";
  return counts.length > 0 ? `Done: ${counts.join(", ")}.` : "No event of that kind came in that time.";
}
