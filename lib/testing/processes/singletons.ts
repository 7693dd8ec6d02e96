const registry = Symbol.for("metacode.shared");

/** Runs `work`'s synchronous part with the singletons of another process. */
export type InProcess = <T>(work: () => T) => T;

/**
 * An empty set of singletons, as a new process has it. It applies only to look-ups before the first await of `work`.
 * Simulates a second process on the same database.
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
