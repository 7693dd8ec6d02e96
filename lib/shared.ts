const registry = Symbol.for("metacode.shared");

type Registry = Map<string, unknown>;

/**
 * One instance per process. The server and the framework's own bundles each carry a copy of every module, so a
 * module-level variable would exist twice: two pools, two caches, and a revoked key that still works in one of them.
 */
export function shared<T>(name: string, make: () => T): T {
  const holder = globalThis as { [registry]?: Registry };
  holder[registry] ??= new Map();
  const instances = holder[registry];
  if (!instances.has(name)) instances.set(name, make());
  return instances.get(name) as T;
}

/** Forgets one shared instance, so that the next use makes a new one. */
export function forget(name: string): void {
  (globalThis as { [registry]?: Registry })[registry]?.delete(name);
}
