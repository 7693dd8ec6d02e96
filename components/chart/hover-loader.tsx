"use client";

import dynamic from "next/dynamic";

export interface ChartLine {
  name: string;
  values: readonly number[];
}

export interface ChartNote {
  bucket: number;
  text: string;
}

export interface HoverProps {
  long: readonly string[];
  now: ChartLine;
  before: ChartLine;
  notes: readonly ChartNote[];
  /** The value at the upper edge. */
  top: number;
}

const Layer = dynamic(() => import("./hover-layer").then(({ HoverLayer }) => HoverLayer), { ssr: false });

/** Loads the hover layer only on pages with a chart. */
export function HoverLoader(props: HoverProps) {
  return <Layer {...props} />;
}
