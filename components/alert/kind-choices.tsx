import { ALERT_KINDS, ALERT_NAMES, ALERTS, type AlertKind } from "@/lib/contract/alerts";

/** What a channel is told of. */
export function KindChoices({ chosen }: { chosen: readonly AlertKind[] }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">Told of</legend>
      <div className="grid max-h-72 gap-0.5 overflow-y-auto rounded-lg border border-line p-2">
        {ALERT_KINDS.map((kind) => (
          <label key={kind} className="flex gap-3 rounded-md p-2 text-sm hover:bg-subtle">
            <input
              type="checkbox"
              name="kinds[]"
              value={kind}
              defaultChecked={chosen.includes(kind)}
              className="mt-0.5 size-4 shrink-0 accent-ink"
            />
            <span className="grid gap-0.5">
              <span className="font-medium">{ALERT_NAMES[kind]}</span>
              <span className="text-[13px] text-muted">{ALERTS[kind]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
