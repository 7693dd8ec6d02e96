import { encode } from "uqr";

/** A QR code as an SVG path: one unit a module, the quiet zone included. */
export interface QrCode {
  size: number;
  path: string;
}

/** Draws a text as a QR code. */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { border: 2 });
  const runs = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")));
  return { size, path: runs.join("") };
}
