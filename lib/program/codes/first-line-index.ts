/** Slots at the start, a power of two; doubled whenever half of them are taken. */
const START = 1 << 16;

/** Two independent 32-bit hashes of a text (Murmur's mixing), seeded so that collisions cannot be prepared. */
function hash(text: string, seed: number): [number, number] {
  let first = 0xdeadbeef ^ seed;
  let second = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 2_654_435_761);
    second = Math.imul(second ^ unit, 1_597_334_677);
  }
  first =
    Math.imul(first ^ (first >>> 16), 2_246_822_507) ^ Math.imul(second ^ (second >>> 13), 3_266_489_909);
  second =
    Math.imul(second ^ (second >>> 16), 2_246_822_507) ^ Math.imul(first ^ (first >>> 13), 3_266_489_909);
  return [first >>> 0, second >>> 0];
}

/**
 * The first line of each text of a file, in 12 bytes per slot: a `Map` of a million texts takes 100 MB. In a file
 * with a million codes, the chance of confusing two different texts is 1 in 40 million.
 */
export class FirstLineIndex {
  private readonly seed = Math.floor(Math.random() * 2 ** 32);
  private slots = new Uint32Array(START * 3);
  private size = 0;

  /** The first line with this text; undefined for a new text, which is then stored. Lines count from 1. */
  firstLine(text: string, line: number): number | undefined {
    if (this.size * 6 >= this.slots.length) this.grow();
    const [first, second] = hash(text, this.seed);
    const at = this.find(first, second);
    const known = this.slots[at + 2];
    if (known) return known;
    this.slots.set([first, second, line], at);
    this.size += 1;
    return undefined;
  }

  /** The position of these hashes, or the free slot for them. */
  private find(first: number, second: number): number {
    const { slots } = this;
    const mask = slots.length / 3 - 1;
    for (let slot = second & mask; ; slot = (slot + 1) & mask) {
      const at = slot * 3;
      if (slots[at + 2] === 0 || (slots[at] === first && slots[at + 1] === second)) return at;
    }
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 3) {
      const [first = 0, second = 0, line = 0] = old.subarray(at, at + 3);
      if (line > 0) this.slots.set([first, second, line], this.find(first, second));
    }
  }
}
