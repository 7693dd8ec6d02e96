import { encode } from "uqr";
import type { LandingQrCode } from "@/lib/contract/landing";

/** The quiet zone that scanners require. */
const BORDER = 4;

/** A chequered mask, which suits any text. Trying all eight masks for the best took twelve times as long. */
const MASK = 0;

/** Paths are padded with spaces to a multiple of this: pages whose values have equal lengths share their compressed parts. */
const PATH_BYTES = 2_048;

/** An address as a QR code. Neighbours in a row are one stroke, which takes a third of the bytes of single squares. */
export function qrCodeOf(address: string): LandingQrCode {
  const { data, size } = encode(address, { border: BORDER, ecc: "M", maskPattern: MASK });
  const path = data.map((row, y) => strokesOf(row, y)).join("");
  return { size: String(size), path: path.padEnd(Math.ceil(path.length / PATH_BYTES) * PATH_BYTES) };
}

function strokesOf(row: readonly boolean[], y: number): string {
  const modules = row.map((dark) => (dark ? "x" : " ")).join("");
  return [...modules.matchAll(/x+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}`).join("");
}
