"use client";

import { type ComponentType, useEffect, useState } from "react";

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

/** Loads the hover layer only on pages with a chart. The chart is whole without it, and its table has the numbers. */
export function HoverLoader(props: HoverProps) {
  const [Layer, setLayer] = useState<ComponentType<HoverProps>>();
  useEffect(() => {
    // Not by `dynamic`, whose failure would replace the page with an error page.
    import("./hover-layer").then(
      ({ HoverLayer }) => setLayer(() => HoverLayer),
      () => undefined,
    );
  }, []);
  return Layer && <Layer {...props} />;
}
