import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { CheckReport, ImportReport } from "@/lib/contract/code-file";
import { formatCount, formatNumber, plural, STORE_NAME } from "@/lib/contract/format";
import type { PoolChoice } from "./choose-pool";
import type { ImportStep } from "./use-import";

/** The share of the bar for the upload; the rest is for the service's work after it. */
const SENT_SHARE = 0.95;

type Working = Extract<ImportStep, { at: "working" }>;

function shareOf({ total, progress: { sent, bytes = 0 } }: Working): number {
  if (total === 0) return 0;
  return Math.max((sent / total) * SENT_SHARE, bytes / total);
}

/** The progress of a check or an import, with a button that cancels it. */
export function ImportProgress({ step, onCancel }: { step: Working; onCancel: () => void }) {
  const { work, progress, total } = step;
  const title = work === "check" ? "Checking file" : "Importing codes";
  const sent = Math.min(1, total === 0 ? 1 : progress.sent / total);
  return (
    <Section
      title={title}
      hint={
        work === "check"
          ? "Nothing is stored yet."
          : "Keep this page open. No code is assigned before the last row is stored."
      }
      action={
        <Button variant="secondary" size="sm" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <ProgressBar label={title} share={shareOf(step)} />
      <p role="status" className="text-sm text-muted tabular-nums">
        {progress.read === undefined
          ? `${Math.floor(sent * 100)}% sent`
          : `${formatCount(progress.read, "row")} read`}
      </p>
    </Section>
  );
}

/** A bar from 0 to 1. Drawn as SVG, because the page's policy refuses style attributes. */
function ProgressBar({ label, share }: { label: string; share: number }) {
  const percent = Math.round(Math.min(Math.max(share, 0), 1) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-2 overflow-hidden rounded-full bg-subtle ring-1 ring-line ring-inset"
    >
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" className="block size-full" aria-hidden>
        <rect width={percent} height="1" className="fill-accent" />
      </svg>
    </div>
  );
}

const focus = (element: HTMLElement | null) => element?.focus();

/** The result of a check in a sentence. Takes the focus, because the focused button is gone. */
export function CheckedHeading({ report: { read, fresh } }: { report: CheckReport }) {
  return (
    <h2 ref={focus} tabIndex={-1} className="w-fit text-sm font-semibold">
      File checked: {formatCount(fresh, "new code")}, {formatNumber(read - fresh)} refused
    </h2>
  );
}

/** Says why the pool is not the one that was selected, until the reader chooses a pool of that store. */
export function PoolNotice({ unfitting, pool }: Record<"unfitting" | "pool", PoolChoice | undefined>) {
  if (!unfitting || !pool || pool.platform === unfitting.platform) return null;
  return (
    <Callout>
      <p>
        {`These look like ${STORE_NAME[pool.platform]} codes, so the pool is “${pool.name}” instead of “${unfitting.name}”.`}
      </p>
    </Callout>
  );
}

function skippedOf({ imported, read }: ImportReport): string {
  const skipped = read - imported;
  if (skipped === 0) return "Nothing was skipped.";
  return `${formatNumber(skipped)} of ${formatCount(read, "row")} ${plural(skipped, "was", "were")} skipped.`;
}

/** The result of an import. Takes the focus, as the result of a check does. */
export function ImportDone(props: { appId: string; report: ImportReport; onAgain: () => void }) {
  const { appId, report, onAgain } = props;
  const { batchId, imported, setAside } = report;
  return (
    <div className="grid gap-5">
      <div role="status" ref={focus} tabIndex={-1} className="rounded-lg">
        <Callout tone={batchId ? "good" : "warn"}>
          <p className="font-medium">{batchId ? formatCount(imported, "code") : "No codes"} imported</p>
          <p>{batchId ? skippedOf(report) : "The app has all codes of this file from an earlier import."}</p>
          {setAside > 0 && (
            <p>
              {formatCount(setAside, "code")} {plural(setAside, "is", "are")} set aside for people in line,
              for 48 hours.
            </p>
          )}
        </Callout>
      </div>
      <div className="flex flex-wrap gap-2">
        {batchId && (
          <Link href={`/dashboard/apps/${appId}/codes/batches/${batchId}`} className={buttonClass()}>
            View batch
          </Link>
        )}
        <Button variant="secondary" onClick={onAgain}>
          Import more codes
        </Button>
        <Link href={`/dashboard/apps/${appId}`} className={buttonClass({ variant: "ghost" })}>
          Open overview
        </Link>
      </div>
    </div>
  );
}
