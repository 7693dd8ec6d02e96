import { scaleLinear } from "d3-scale";
import { area, curveMonotoneX, line } from "d3-shape";

/** Side of the square that lines are drawn in; it is stretched to whatever place the chart has. */
export const SIDE = 1_000;

const TICKS = 4;

export interface Scale {
  /** Values of the lines across, the lowest first. */
  ticks: number[];
  /** How far down a value stands, in hundredths of the height. */
  percent(value: number): number;
}

/** From nothing to a round number over the highest value, in whole steps. */
export function scaleOf(values: readonly number[]): Scale {
  const scale = scaleLinear()
    .domain([0, Math.max(TICKS, ...values)])
    .nice(TICKS)
    .range([100, 0]);
  return { ticks: scale.ticks(TICKS), percent: (value) => scale(value) };
}

/** How far to the right the bucket of an index stands, in hundredths of the width. */
export function across(index: number, count: number): number {
  return count > 1 ? (index / (count - 1)) * 100 : 50;
}

/** Lines through the values, and the area below, as path data in the square. */
export function pathsOf(values: readonly number[], scale: Scale): { line: string; area: string } {
  const x = (_: number, index: number) => (across(index, values.length) / 100) * SIDE;
  const y = (value: number) => (scale.percent(value) / 100) * SIDE;
  const data = [...values];
  return {
    line: line<number>(x, y).curve(curveMonotoneX)(data) ?? "",
    area: area<number>(x, SIDE, y).curve(curveMonotoneX)(data) ?? "",
  };
}

/** Which buckets are named below the chart: six at the most, the last one always. */
export function namedBuckets(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / 6));
  return Array.from({ length: count }, (_, index) => index).filter(
    (index) => (count - 1 - index) % step === 0,
  );
}
