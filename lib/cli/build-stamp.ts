/** Marks a complete build and names its sources: removed before the first step, written after the last. */
export const BUILD_STAMP = ".next/metacode-build";

/** The id by which browsers and instances recognise a build of other sources. */
export function deploymentId(stamp: string): string {
  return stamp.slice(0, 16);
}
