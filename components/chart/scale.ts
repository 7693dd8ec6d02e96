import { scaleLinear } from "d3-scale";
import { area, curveMonotoneX, line } from "d3-shape";

/** The side of the square that lines are drawn in. It is stretched to the size of the chart. */
export const SIDE = 1_000;

const TICKS = 4;

export interface Scale {
  /** Values of the grid lines, lowest first. */
  ticks: number[];
  /** The distance of a value from the top, in percent of the height. */
  percent(value: number): number;
}

/** From zero to a round number above the highest value, in whole steps. */
export function scaleOf(values: readonly number[]): Scale {
  const scale = scaleLinear()
    .domain([0, Math.max(TICKS, ...values)])
    .nice(TICKS)
    .range([100, 0]);
  return { ticks: scale.ticks(TICKS), percent: (value) => scale(value) };
}

/** The distance of a bucket from the left, in percent of the width. */
export function across(index: number, count: number): number {
  return count > 1 ? (index / (count - 1)) * 100 : 50;
}

/** The line through the values and the area below it, as path data in the square. */
export function pathsOf(values: readonly number[], scale: Scale): { line: string; area: string } {
  const x = (_: number, index: number) => (across(index, values.length) / 100) * SIDE;
  const y = (value: number) => (scale.percent(value) / 100) * SIDE;
  const data = [...values];
  return {
    line: line<number>(x, y).curve(curveMonotoneX)(data) ?? "",
    area: area<number>(x, SIDE, y).curve(curveMonotoneX)(data) ?? "",
  };
}

/** The buckets that are named below the chart: at most six, always including the last. */
export function namedBuckets(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / 6));
  return Array.from({ length: count }, (_, index) => index).filter(
    (index) => (count - 1 - index) % step === 0,
  );
}
