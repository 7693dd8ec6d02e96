import { ArrowDownRight, ArrowRight, ArrowUpRight } from "lucide-react";
import { formatNumber } from "@/lib/contract/format";

interface Props {
  now: number;
  before: number;
  /** Name of the period of `before`, such as "previous 7 days". */
  period: string;
}

const LOOKS = {
  up: { Icon: ArrowUpRight, look: "bg-good-soft text-good", word: "more" },
  down: { Icon: ArrowDownRight, look: "bg-bad-soft text-bad", word: "less" },
  same: { Icon: ArrowRight, look: "bg-subtle text-muted", word: "no change" },
};

/** The change of a number from the previous period. */
export function Delta({ now, before, period }: Props) {
  if (before === 0 && now === 0) return null;
  const percent = before === 0 ? undefined : Math.round(((now - before) / before) * 100);
  const { Icon, look, word } = LOOKS[now > before ? "up" : now < before ? "down" : "same"];
  const size = percent === undefined ? "new" : `${formatNumber(Math.abs(percent))}%`;
  return (
    <span
      title={`${formatNumber(before)} in the ${period}`}
      className={`inline-flex h-5 items-center gap-0.5 rounded-full pr-2 pl-1 text-xs font-medium tabular-nums ${look}`}
    >
      <Icon className="size-3.5" aria-hidden />
      {size}
      <span className="sr-only">{` ${percent === undefined ? "" : word}, ${formatNumber(before)} in the ${period}`}</span>
    </span>
  );
}
