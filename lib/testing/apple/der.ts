/** The parts of DER (X.690) that a certificate needs. */
export function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Uint8Array.of(tag, body.length), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Uint8Array.of(tag, 0x80 | length.length), length, body]);
}

export const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);

export const explicit = (number: number, ...parts: Uint8Array[]) => der(0xa0 | number, ...parts);

export const bits = (bytes: Uint8Array) => der(0x03, Uint8Array.of(0), bytes);

export const octets = (bytes: Uint8Array) => der(0x04, bytes);

export const integer = (value: number) => der(0x02, Uint8Array.of(value));

export const yes = () => der(0x01, Uint8Array.of(0xff));

/** An object identifier, as `1.2.840`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((value) => {
    const groups = [value & 0x7f];
    for (let left = value >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(0x06, Uint8Array.from(bytes));
}

/** A name that consists of a common name only. */
export const commonName = (name: string) =>
  sequence(der(0x31, sequence(oid("2.5.4.3"), der(0x0c, Buffer.from(name)))));

/** A time as GeneralizedTime, in seconds. */
export const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]|\..*/g, "")}Z`));
