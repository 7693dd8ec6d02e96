/** `count` calls of `work`, at most `width` at once; results in the order of their indexes. */
export async function inParallel<T>(
  count: number,
  width: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = new Array(count);
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
  return results;
}

const MAX_TRIES = 1_000;

/** Calls again until a result is final, as clients of a busy machine do. Returns the last result if none is final. */
export async function persistently<T>(call: () => Promise<T>, isFinal: (result: T) => boolean): Promise<T> {
  for (let tries = 1; ; tries++) {
    const result = await call();
    if (isFinal(result) || tries === MAX_TRIES) return result;
  }
}
