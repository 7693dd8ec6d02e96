import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { counted } from "../words";
import { ProgressBar } from "./progress-bar";
import type { ImportStep } from "./use-import";

/** Sending is not the end: the last part of the bar belongs to what the service still does. */
const SENT_PART = 0.95;

type Working = Extract<ImportStep, { at: "working" }>;

function partOf({ total, progress: { sent, bytes = 0 } }: Working): number {
  if (total === 0) return 0;
  return Math.max((sent / total) * SENT_PART, bytes / total);
}

/** How far a file is on its way, and the way out. */
export function Working({ step, onCancel }: { step: Working; onCancel: () => void }) {
  const { work, progress, total } = step;
  const title = work === "check" ? "Checking the file" : "Importing the codes";
  const sent = Math.min(1, total === 0 ? 1 : progress.sent / total);
  return (
    <Section
      title={title}
      hint={
        work === "check"
          ? "Nothing is stored yet."
          : "Keep this page open. Nobody is given a code of this file before the last row is stored."
      }
      action={
        <Button variant="secondary" size="sm" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <ProgressBar label={title} part={partOf(step)} />
      <p role="status" className="text-sm text-muted tabular-nums">
        {progress.read === undefined
          ? `${Math.floor(sent * 100)} % sent`
          : `${counted(progress.read)} rows read`}
      </p>
    </Section>
  );
}
