/** @jsxImportSource hono/jsx */
import { encode } from "uqr";

/** The quiet zone that scanners require. */
const BORDER = 4;

/** A chequered mask, which suits any text. Trying all eight for the prettiest took twelve times as long. */
const MASK = 0;

/** Modules as a path, neighbours in a row as one stroke: a third of the bytes of a square each. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .map((row, y) =>
      [
        ...row
          .map((dark) => (dark ? "x" : " "))
          .join("")
          .matchAll(/x+/g),
      ]
        .map(({ index, 0: run }) => `M${index} ${y}h${run.length}`)
        .join(""),
    )
    .join("");
}

/** An address as a QR code, black on white in both colour schemes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: BORDER, ecc: "M", maskPattern: MASK });
  return (
    <figure class="qr">
      <svg viewBox={`0 -.5 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
        <path d={pathOf(data)} stroke="#000" />
      </svg>
      <figcaption aria-hidden="true">{label}</figcaption>
    </figure>
  );
}
