import { posix } from "node:path";
import type { SourceFile } from "./tree";

/** Who may import what. The first rule whose `room` fits a file decides; the last one is for the nouns of `lib`. */
interface Rule {
  room: RegExp;
  /** Where given, nothing else may be imported. */
  only?: RegExp;
  never?: RegExp;
}

const BUILT_IN = "node:";

/** The table of docs/decisions: `app` speaks HTTP and HTML, the nouns decide, `lib/db` remembers. */
const RULES: Rule[] = [
  { room: /^app\//, never: /^(lib\/(db|server|cli|testing)\/|drizzle-orm|pg$|pg-)/ },
  {
    room: /^components\//,
    only: /^(components\/|lib\/contract\/|react|next\/|hono\/|lucide-react|geist|node:crypto|@radix-ui\/|cmdk$|d3-|uqr$|minisearch$)/,
  },
  { room: /^lib\/(errors|shared)\.ts$/, only: /^$/ },
  { room: /^lib\/env\.ts$/, only: /^zod$/ },
  { room: /^lib\/contract\//, only: /^(zod$|lib\/contract\/)/ },
  {
    room: /^lib\/providers\//,
    only: /^(zod|standardwebhooks|node:crypto|@apple\/app-store-server-library)$|^lib\/(providers\/|(errors|json)$)/,
  },
  {
    room: /^lib\/db\//,
    only: /^(drizzle-orm|pg$|graphile-worker$|node:|lib\/(db\/|(env|shared|errors|log)$))/,
  },
  { room: /^lib\/http\//, never: /^(app|components)\/|^lib\/(session|server)\/|^(next|drizzle-orm|pg$)/ },
  { room: /^lib\/session\//, never: /^(app|components)\/|^(drizzle-orm|pg$)/ },
  { room: /^lib\/server\//, never: /^(drizzle-orm|pg$)/ },
  {
    room: /^lib\//,
    // `broadcast` tells the other processes; everything else of the server is above the nouns.
    never:
      /^(app|components)\/|^(next|react)|^pg$|^lib\/(http|session|cli|testing)\/|^lib\/server\/(?!broadcast$)/,
  },
];

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

/** Everything a file imports, as paths from the project's root or package names. */
export function importsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(IMPORT)].map((match) => resolve(path, match[1] ?? match[2] ?? ""));
}

function resolve(from: string, target: string): string {
  if (target.startsWith("@/")) return target.slice(2);
  if (!target.startsWith(".") || target.startsWith(BUILT_IN)) return target;
  return posix.join(posix.dirname(from), target);
}

/** `file -> import` for every import over a wall. */
export function forbiddenImports(files: SourceFile[]): string[] {
  return files.flatMap((file) => {
    const rule = RULES.find(({ room }) => room.test(file.path));
    const wrong = importsOf(file).filter(
      (target) => rule?.never?.test(target) || (rule?.only && !rule.only.test(target)),
    );
    return wrong.map((target) => `${file.path} -> ${target}`);
  });
}
