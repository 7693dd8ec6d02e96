type Rgb = readonly [red: number, green: number, blue: number];

/** The parts of `#rrggbb`, 0 to 255 each. */
function partsOf(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function luminance(colour: string): number {
  const [red, green, blue] = partsOf(colour);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The contrast ratio of two colours, each `#rrggbb`: 1 to 21, as defined by WCAG 2.2. */
export function contrast(colour: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(colour), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Mixes a share, 0 to 1, of another colour into a colour. */
export function mix(colour: string, other: string, share: number): string {
  const target = partsOf(other);
  const mixed = partsOf(colour).map((part, index) =>
    Math.round(part + ((target[index] ?? 0) - part) * share),
  );
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
