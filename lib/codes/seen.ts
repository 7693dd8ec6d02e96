/** Slots at the start; doubled whenever half of them are taken. A power of two. */
const START = 1 << 16;

/** Two independent 32-bit hashes of a text (Murmur's mixing), seeded so that nobody can prepare clashes. */
function hash(text: string, seed: number): [number, number] {
  let one = 0xdeadbeef ^ seed;
  let two = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 2_654_435_761);
    two = Math.imul(two ^ unit, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909);
  two = Math.imul(two ^ (two >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return [one >>> 0, two >>> 0];
}

/**
 * Which texts of a file have come already, and on which line: 12 bytes for each slot, where a set of a million texts takes
 * 100 MB. Two different texts pass for one with a chance of 1 in 40 million for a whole file of a million.
 */
export class Seen {
  private readonly seed = Math.floor(Math.random() * 2 ** 32);
  private slots = new Uint32Array(START * 3);
  private size = 0;

  /** The line on which the text came first, or undefined where this is the first time. Lines count from 1. */
  firstLine(text: string, line: number): number | undefined {
    if (this.size * 6 >= this.slots.length) this.grow();
    const [one, two] = hash(text, this.seed);
    const at = this.find(one, two);
    const known = this.slots[at + 2];
    if (known) return known;
    this.slots.set([one, two, line], at);
    this.size += 1;
    return undefined;
  }

  /** Where these hashes stand, or the free place where they belong. */
  private find(one: number, two: number): number {
    const { slots } = this;
    const mask = slots.length / 3 - 1;
    for (let slot = two & mask; ; slot = (slot + 1) & mask) {
      const at = slot * 3;
      if (slots[at + 2] === 0 || (slots[at] === one && slots[at + 1] === two)) return at;
    }
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 3) {
      const [one = 0, two = 0, line = 0] = old.subarray(at, at + 3);
      if (line > 0) this.slots.set([one, two, line], this.find(one, two));
    }
  }
}
