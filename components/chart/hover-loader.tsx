"use client";

import dynamic from "next/dynamic";
import type { HoverProps } from "./hover-layer";

const Layer = dynamic(() => import("./hover-layer").then(({ HoverLayer }) => HoverLayer), { ssr: false });

/** Fetches what the pointer reads in a chart only where a chart is. */
export function HoverLoader(props: HoverProps) {
  return <Layer {...props} />;
}
