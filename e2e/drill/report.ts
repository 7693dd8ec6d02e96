import type { Timeline } from "./timeline";

/** The limits of a step. A figure without a limit is only printed. */
export interface DrillTarget {
  outageS?: number;
  failed?: number;
}

/** The kinds of violations that have their own column. */
const COLUMNS = { double: "codes twice", lost: "codes lost", webhooks: "webhooks lost" } as const;

interface Outcome {
  /** One line for the terminal. */
  line: string;
  /** Everything that makes the drill fail. */
  faults: string[];
}

const verdict = (value: number, most: number | undefined, unit: string) =>
  most === undefined ? "" : ` (at most ${most}${unit}: ${value <= most ? "met" : "MISSED"})`;

/** A step's figures beside their targets. `violations` are those that no earlier check had found. */
export function report(
  name: string,
  timeline: Pick<Timeline, "failed" | "failures" | "outageMs">,
  violations: string[],
  target: DrillTarget,
): Outcome {
  const outage = Math.round(timeline.outageMs() / 100) / 10;
  const { failed } = timeline;
  const counts = Object.entries(COLUMNS).map(([kind, column]) => {
    const count = violations.filter((text) => text.startsWith(`${kind}:`)).length;
    return `${column} ${count}`;
  });
  const line = [
    `${name}: outage ${outage.toFixed(1)} s${verdict(outage, target.outageS, " s")}`,
    `failed calls ${failed}${verdict(failed, target.failed, "")}`,
    ...counts,
  ].join("; ");
  const missed = [
    ...(outage > (target.outageS ?? Number.POSITIVE_INFINITY)
      ? [`${name}: the outage missed its target`]
      : []),
    ...(failed > (target.failed ?? Number.POSITIVE_INFINITY)
      ? [
          `${name}: calls failed (${[...timeline.failures].map(([kind, count]) => `${count} x ${kind}`).join(", ")})`,
        ]
      : []),
  ];
  return { line, faults: [...violations.map((text) => `${name}: ${text}`), ...missed] };
}
