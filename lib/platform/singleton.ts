const registry = Symbol.for("metacode.shared");

type Registry = Map<string, unknown>;

/**
 * One instance per process. The server's and the framework's bundles each contain a copy of every module, so a
 * module-level variable would exist twice: two pools, two caches, and a revoked key that still works in one of
 * them.
 */
export function singleton<T>(name: string, make: () => T): T {
  const holder = globalThis as { [registry]?: Registry };
  holder[registry] ??= new Map();
  const instances = holder[registry];
  if (!instances.has(name)) instances.set(name, make());
  return instances.get(name) as T;
}

/** Forgets an instance, so that the next use creates a new one. */
export function forgetSingleton(name: string): void {
  (globalThis as { [registry]?: Registry })[registry]?.delete(name);
}

/** Forgets every instance, as if the process had just started, and returns them. */
export function forgetSingletons(): unknown[] {
  const instances = (globalThis as { [registry]?: Registry })[registry];
  const forgotten = [...(instances?.values() ?? [])];
  instances?.clear();
  return forgotten;
}
