import { posix } from "node:path";
import type { SourceFile } from "./tree";

/** The layers of `lib`, lowest first: each may import from those before it. `cli` and `testing` stand beside them. */
const LAYERS = ["contract", "platform", "tenants", "program", "outward", "web"];

/**
 * Packages and folders that a folder may not import, or the only ones that it may import. The first matching rule
 * decides.
 */
interface Rule {
  folder: RegExp;
  /** If set, only these may be imported. */
  only?: RegExp;
  never?: RegExp;
}

const RULES: Rule[] = [
  {
    folder: /^app\//,
    never: /^(lib\/(platform\/db|web\/server|cli|testing)\/|bench\/|e2e\/|drizzle-orm|pg$|pg-)/,
  },
  {
    folder: /^components\//,
    only: /^(components\/|lib\/contract\/|react|next\/|hono\/|lucide-react|geist|node:crypto|@radix-ui\/|cmdk$|d3-|uqr$|minisearch$|lru-cache$)/,
  },
  { folder: /^lib\/platform\/(errors|singleton)\.ts$/, only: /^$/ },
  { folder: /^lib\/platform\/env\.ts$/, only: /^zod$/ },
  { folder: /^lib\/contract\//, only: /^(zod$|lib\/contract\/)/ },
  {
    folder: /^lib\/program\/providers\//,
    only: /^(zod|standardwebhooks|node:crypto|@apple\/app-store-server-library)$|^lib\/(program\/providers\/|platform\/(errors|json)$)/,
  },
  {
    folder: /^lib\/platform\/db\//,
    only: /^(drizzle-orm|pg$|node:|lib\/platform\/(db\/|(counters|env|singleton|errors|log|tracing)$))/,
  },
  {
    folder: /^lib\/platform\/transfer\//,
    only: /^(drizzle-orm|pg$|pg-copy-streams$|zod$|node:|lib\/contract\/format$|lib\/platform\/(db\/|transfer\/|sync-folder$))/,
  },
  { folder: /^lib\/web\/http\//, never: /^lib\/web\/(session|server)\/|^(next|drizzle-orm|pg$)/ },
  { folder: /^lib\/web\/(session|server|background)\//, never: /^(drizzle-orm|pg$)/ },
  { folder: /^lib\//, never: /^(next|react)|^pg$/ },
];

interface Import {
  target: string;
  /** Whether only types are imported, which the compiler erases: they connect names, not modules. */
  typeOnly: boolean;
}

const IMPORT =
  /(?:^|[\s;}])(?:import|export)(?:\s+|(?=[{*]))(?:([^"';()]*?)\s*\bfrom\s*)?["']([^"']+)["']|\b(?:import\(\s*(?:\/\*.*?\*\/\s*)?|require\((?=["'`][@.]))["'`]([^"'`]+)["'`]/gm;

const TYPES_ONLY = /^type\s|^\{(?:\s*type\s[^,}]*,?)+\s*\}$/;

/** Everything a file imports, as paths from the project's root or package names. */
export function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(IMPORT)].map(([, names, from, dynamic]) => ({
    target: resolve(path, from ?? dynamic ?? ""),
    typeOnly: TYPES_ONLY.test(names?.trim() ?? ""),
  }));
}

function resolve(from: string, target: string): string {
  if (target.startsWith("@/")) return target.slice(2);
  if (!target.startsWith(".")) return target;
  return posix.join(posix.dirname(from), target);
}

/** The position of a file's layer, counted from the lowest; -1 outside the layers. */
export const heightOf = (path: string) => LAYERS.indexOf(/^lib\/([^/]+)\//.exec(path)?.[1] ?? "");

function pointsUp(path: string, { target, typeOnly }: Import): boolean {
  const height = heightOf(path);
  // A folder of `lib` outside the layers may import nothing, so that no new one appears unnoticed.
  if (height < 0) return /^lib\/(?!cli\/|testing\/)/.test(path);
  if (/^(app|components|bench|e2e)\//.test(target) || /^lib\/(cli|testing)\//.test(target)) return true;
  // The contract's view types derive from the tables.
  const derives = height === 0 && typeOnly && target.startsWith("lib/platform/db/schema");
  return heightOf(target) > height && !derives;
}

/** `file -> import` for every import that points up, or that its folder may not have. */
export function forbiddenImports(files: SourceFile[]): string[] {
  return files.flatMap((file) => {
    const rule = RULES.find(({ folder }) => folder.test(file.path));
    const allowed = ({ target }: Import) =>
      !(rule?.never?.test(target) || (rule?.only && !rule.only.test(target)));
    const derives = (entry: Import) =>
      heightOf(file.path) === 0 && entry.typeOnly && !pointsUp(file.path, entry);
    return importsOf(file)
      .filter((entry) => pointsUp(file.path, entry) || !(allowed(entry) || derives(entry)))
      .map(({ target }) => `${file.path} -> ${target}`);
  });
}

/** The import cycles between folders of app, components and lib, including type imports, one line each. */
export function folderCycles(files: SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const graph = new Map<string, Set<string>>();
  for (const file of files.filter(({ path }) => /^(app|components|lib)\//.test(path))) {
    const from = posix.dirname(file.path);
    for (const { target } of importsOf(file)) {
      const to = paths.has(`${target}/index.ts`) ? target : posix.dirname(target);
      if (to !== from && /^(app|components|lib)\//.test(target)) {
        graph.set(from, (graph.get(from) ?? new Set()).add(to));
      }
    }
  }
  return [...circles(graph)].sort();
}

/** Every cycle of a graph, once, as `a -> b -> a`, starting with its alphabetically first name. */
function circles(graph: Map<string, Set<string>>): Set<string> {
  const found = new Set<string>();
  const done = new Set<string>();
  const walk = (node: string, path: string[]) => {
    const start = path.indexOf(node);
    if (start >= 0) {
      const circle = path.slice(start);
      const first = circle.indexOf([...circle].sort()[0] ?? "");
      const turned = [...circle.slice(first), ...circle.slice(0, first)];
      found.add([...turned, turned[0]].join(" -> "));
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return found;
}
