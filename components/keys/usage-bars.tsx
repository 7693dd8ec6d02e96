import type { UsageDay } from "@/lib/contract/api-key";
import { formatCount, formatNumber } from "@/lib/contract/format";

const STEP = 5;
const BAR = 4;
const HEIGHT = 28;

/** Requests per day as bars, the refused and failed ones at the foot of each. Drawn on the server. */
export function UsageBars({ days }: { days: readonly UsageDay[] }) {
  const most = Math.max(1, ...days.map(({ requests }) => requests));
  const tall = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / most) * HEIGHT));
  return (
    <svg
      viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
      className="h-7 w-36 shrink-0"
      role="img"
      aria-label={summary(days)}
    >
      {days.map((day, index) => {
        const [all, bad] = [tall(day.requests), tall(day.refused + day.failed)];
        return (
          <g key={day.day}>
            <title>{`${day.day}: ${usageText(day)}`}</title>
            <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} className="fill-transparent" />
            <rect x={index * STEP} y={HEIGHT - 1} width={BAR} height={1} className="fill-line" />
            <rect x={index * STEP} y={HEIGHT - all} width={BAR} height={all} className="fill-accent" />
            <rect x={index * STEP} y={HEIGHT - bad} width={BAR} height={bad} className="fill-warn" />
          </g>
        );
      })}
    </svg>
  );
}

/** The sum of several days. */
export function sumOf(days: readonly UsageDay[]): Omit<UsageDay, "day"> {
  const add = (of: "requests" | "refused" | "failed") => days.reduce((sum, day) => sum + day[of], 0);
  return { requests: add("requests"), refused: add("refused"), failed: add("failed") };
}

function usageText({ requests, refused, failed }: Omit<UsageDay, "day">): string {
  return `${formatCount(requests, "request")}, ${formatNumber(refused)} refused, ${formatNumber(failed)} failed`;
}

function summary(days: readonly UsageDay[]): string {
  return `Last ${days.length} days: ${usageText(sumOf(days))}`;
}
