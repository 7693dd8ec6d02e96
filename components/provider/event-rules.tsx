import { Badge, type Tone } from "@/components/ui/badge";
import type { EventRuleView } from "@/lib/contract/provider";
import { Worded } from "./worded";

const EFFECTS: Record<EventRuleView["does"], { name: string; tone: Tone }> = {
  confirms: { name: "Confirms", tone: "good" },
  renews: { name: "Renewal", tone: "neutral" },
  reverses: { name: "Reverses", tone: "warn" },
  restores: { name: "Restores", tone: "good" },
  links: { name: "Links ids", tone: "neutral" },
  ignored: { name: "Ignored", tone: "neutral" },
};

/** What each event of a provider does, folded away until somebody asks. */
export function EventRules({ rules }: { rules: readonly EventRuleView[] }) {
  return (
    <details className="group text-sm">
      <summary className="cursor-pointer font-medium">What its events do</summary>
      <ul className="mt-3 grid divide-y divide-line rounded-lg border border-line">
        {rules.map(({ types, when, does, why }) => (
          <li
            key={`${types.join()} ${when ?? ""}`}
            className="grid gap-1.5 p-3.5 sm:grid-cols-[7rem_minmax(0,1fr)]"
          >
            <span>
              <Badge tone={EFFECTS[does].tone}>{EFFECTS[does].name}</Badge>
            </span>
            <div className="grid min-w-0 gap-1">
              <p className="break-words">
                <Worded text={`${types.map((type) => `\`${type}\``).join(", ")}${when ? ` ${when}` : ""}`} />
              </p>
              <p className="text-[13px] text-muted">
                <Worded text={`${why}.`} />
              </p>
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-[13px] text-muted">
        A renewal confirms only where the campaign counts any renewal. Every other event is ignored.
      </p>
    </details>
  );
}
