const registry = Symbol.for("metacode.shared");

/** Runs `work`'s synchronous part with the singletons of another process. */
export type InProcess = <T>(work: () => T) => T;

/**
 * A process as far as singletons go: an empty set of them, besides what the map is given. Only what `work` looks up
 * before its first await is looked up there.
 */
export function anotherProcess(): InProcess {
  const own = new Map<string, unknown>();
  return (work) => {
    const holder = globalThis as { [registry]?: Map<string, unknown> };
    const before = holder[registry];
    holder[registry] = own;
    try {
      return work();
    } finally {
      if (before) holder[registry] = before;
      else delete holder[registry];
    }
  };
}
