import { importsOf } from "./imports";
import { isTool, productionCode, type SourceFile } from "./tree";

const MAX_LINES = 250;

/** Minimum lines of a file; a shorter one is read together with its only importer, so it belongs there. */
const MIN_LINES = 15;

/** Next sets the runtime in a file that runs before any of our code is loaded. */
const READS_ENV = /^(lib\/platform\/env\.ts|instrumentation\.ts)$/;
const MAKES_RESPONSES = /^(lib\/web\/(http|server|landing)|app\/r)\/|^proxy\.ts$/;

/** A path of one machine. Its words are split, because this file would otherwise break its own rule. */
const MACHINE_PATH = new RegExp(
  `(^|[^\\w.~/-])/(${["wo" + "rk", "ro" + "ot"].join("|")})/[a-z.]|/ho${"me"}/[a-z]+/[a-z]`,
  "m",
);

/** Four lines of text in one comment. Tags of a docstring, such as `@param`, do not count. */
const LONG_COMMENT = /(\n[ \t]*(--|\/\/).*){4}|\n[ \t]*\/\*\*?(\n[ \t]*\* (?!@).*){4}/;

type Check = (file: SourceFile) => boolean;

/** Rules for every file, by name. A check returns whether the file breaks the rule. */
const CHECKS: Record<string, Check> = {
  "longer than 250 lines": ({ path, text }) =>
    /\.(tsx?|mjs|sql|css)$/.test(path) &&
    !path.startsWith("drizzle/") &&
    text.split("\n").length > MAX_LINES + 1,
  "has a comment of more than three lines": ({ path, text }) =>
    (isCode(path) || path.endsWith(".sql")) && !path.startsWith("drizzle/") && LONG_COMMENT.test(`\n${text}`),
  "reads process.env": ({ path, text }) =>
    isCode(path) && !isTool(path) && !READS_ENV.test(path) && /process\s*\.\s*env|process\[/.test(text),
  // A module that has already read the environment would not see the change; `completeEnv` reads it again.
  "sets settings past completeEnv": ({ path, text }) =>
    /^(e2e\/\w+|bench|lib\/cli)\//.test(path) && /Object\.assign\(process\.env, (?!\{ NODE_ENV)/.test(text),
  "makes a Response": ({ path, text }) =>
    isCode(path) &&
    !isTool(path) &&
    !MAKES_RESPONSES.test(path) &&
    /new (Next)?Response\(|Response\.json\(/.test(text),
  "names a folder of a machine": ({ path, text }) => path !== "package-lock.json" && MACHINE_PATH.test(text),
  "has an unfinished note": ({ path, text }) =>
    isCode(path) && new RegExp(`\\b(TO${"DO"}|FIX${"ME"}|XX${"X"})\\b`).test(text),
  // Widths and heights in pixels are allowed, because they are those of a real screen.
  "sets a size that is no token": ({ path, text }) =>
    path.endsWith(".tsx") && NO_TOKEN.test(text.replaceAll("text-[0.", "")),
  "re-exports as a barrel": ({ path, text }) =>
    isCode(path) && path !== "lib/platform/db/schema/index.ts" && /^export \* from/m.test(text),
};

function isCode(path: string): boolean {
  return /\.(tsx?|mjs)$/.test(path);
}

/** `rule: file` for every broken rule. */
export function brokenRules(files: SourceFile[]): string[] {
  return Object.entries(CHECKS).flatMap(([name, broken]) =>
    files.filter(broken).map(({ path }) => `${name}: ${path}`),
  );
}

const NO_TOKEN =
  /\b(text|leading|rounded|border|gap|space-[xy]|[pm][xytrbl]?|top|right|bottom|left)-\[[\d.]+(rem|em|px)\]|\b(max-|min-)?[hw]-\[[\d.]+r?em\]/;

const COUNTED = /^(app|components|lib)\/.*\.tsx?$/;
const NOT_COUNTED = /\.test\.tsx?$|^lib\/testing\//;

/** The number of files in app, components and lib, tests and helpers aside, and the median and 90th percentile of lines. */
export function sizes(files: SourceFile[]): { files: number; median: number; p90: number } {
  const lines = files
    .filter(({ path }) => COUNTED.test(path) && !NOT_COUNTED.test(path))
    .map(({ text }) => text.split("\n").length - 1)
    .sort((a, b) => a - b);
  const at = (part: number) => lines[Math.floor(lines.length * part)] ?? 0;
  return { files: lines.length, median: at(0.5), p90: at(0.9) };
}

/** Parts of the interface that `/dashboard/ui` shows neither on its own nor within another part. */
export function hiddenParts(files: SourceFile[]): string[] {
  const isPart = ({ path }: SourceFile) => /^components\/ui\/.*\.tsx$/.test(path);
  const shown = new Set(files.filter(({ path }) => path.startsWith("app/dashboard/ui/")));
  for (const file of shown) {
    const targets = importsOf(file).map(({ target }) => `${target}.tsx`);
    for (const part of files) if (isPart(part) && targets.includes(part.path)) shown.add(part);
  }
  return files.filter((file) => isPart(file) && !shown.has(file)).map(({ path }) => path);
}

/** Tables and entry points, which may be short files, because the schema is read table by table. */
const MAY_BE_SHORT =
  /^app\/|^lib\/(platform\/db\/schema|cli)\/|^lib\/web\/landing\/languages\/|\.config\.|^(proxy|instrumentation(-client)?)\.ts$/;

/** Production files below {@link MIN_LINES} lines that fewer than two others import. */
export function fragments(files: SourceFile[]): string[] {
  const code = productionCode(files);
  const importers = new Map<string, number>();
  for (const file of code) {
    for (const target of new Set(importsOf(file).map(({ target }) => target))) {
      importers.set(target, (importers.get(target) ?? 0) + 1);
    }
  }
  return code
    .filter(({ path, text }) => !MAY_BE_SHORT.test(path) && text.split("\n").length - 1 < MIN_LINES)
    .map(({ path }) => path)
    .filter((path) => (importers.get(path.replace(/\.tsx?$/, "")) ?? 0) < 2);
}

/** Names that Next or a tool looks for in each of its files. */
const FRAMEWORK =
  /^(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE|metadata|viewport|generateMetadata|generateViewport|dynamic|runtime|revalidate|config)$/;
const EXPORT =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const enum|const|let|class|interface|type|enum|namespace) +([A-Za-z_$][\w$]*)/gm;
/** `export { a, b as c }` and `export const { a, b: c }`, whose last word of each part is the exported name. */
const EXPORTED_LIST = /^export (?:type |(?:const|let) )?[{[]([^}\]]*)[}\]](?!\s*from)/gm;

/** The names that a file exports itself; a re-export is the same thing in another place. */
function exportsOf(text: string): Set<string> {
  const single = [...text.matchAll(EXPORT)].map(([, name = ""]) => name);
  const listed = [...text.matchAll(EXPORTED_LIST)].flatMap(([, list = ""]) => list.split(","));
  const last = (part: string) => /([A-Za-z_$][\w$]*)\s*$/.exec(part.replace(/=.*/s, ""))?.[1] ?? "";
  return new Set([...single, ...listed.map(last)].filter((name) => name !== "" && !FRAMEWORK.test(name)));
}

/**
 * The same text for names that a reader would confuse, because only case or a plural differs. A constant, a type and a
 * function may share a word (`createApp` has its button `CreateApp`), as may the parts of a screen and their items.
 */
function soundOf(name: string, path: string): string {
  const style = /^[A-Z0-9_$]+$/.test(name) ? "constant" : /^[A-Z]/.test(name) ? "type" : "value";
  const lower = name.toLowerCase().replaceAll("_", "");
  const singular = lower.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
  return `${style} ${path.endsWith(".tsx") ? lower : singular}`;
}

/** `name: file, file` for every name that two files export, because a reader cannot tell which one is meant. */
export function ambiguousExports(files: SourceFile[]): string[] {
  const places = new Map<string, [name: string, path: string][]>();
  for (const { path, text } of files) {
    // Stand-ins have the names of the packages that they replace.
    if (!isCode(path) || /\.test\.tsx?$|\/stand-ins\//.test(path)) continue;
    for (const name of exportsOf(text)) {
      for (const key of [name, soundOf(name, path)])
        places.set(key, [...(places.get(key) ?? []), [name, path]]);
    }
  }
  const ambiguous = [...places.values()]
    .filter((found) => new Set(found.map(([, path]) => path)).size > 1)
    .map((found) => `${found[0]?.[0]}: ${found.map(([, path]) => path).join(", ")}`);
  return [...new Set(ambiguous)];
}

/** Pages, tables and configurations, whose exports a framework reads. */
const EXPORTED_ANYWAY =
  /^(app|lib\/platform\/db\/schema)\/|^(proxy|instrumentation(-client)?)\.ts$|\.config\.|\.test\.tsx?$/;

/** `file: name` for every exported name that only its own file uses: it should be private. */
export function privateExports(files: SourceFile[]): string[] {
  const code = files.filter(({ path }) => isCode(path));
  const mentions = new Map<string, number>();
  const namesOf = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? [];
  for (const { text } of code) {
    for (const name of new Set(namesOf(text))) mentions.set(name, (mentions.get(name) ?? 0) + 1);
  }
  return code
    .filter(({ path }) => !EXPORTED_ANYWAY.test(path))
    .flatMap(({ path, text }) => {
      const names = namesOf(text);
      return [...exportsOf(text)]
        .filter((name) => mentions.get(name) === 1 && names.filter((other) => other === name).length > 1)
        .map((name) => `${path}: ${name}`);
    });
}

/** Exports that only tests may use, to make a running process like a fresh one. */
const FOR_TESTS = new Set(["forgetSingletons"]);

const EXPORTED_VALUE = /^export (?:async )?(?:function\*?|const|let|class) +([A-Za-z_$][\w$]*)/gm;

/** `file: name` for every function or value that nothing but tests uses: it is dead, or a helper of tests. */
export function unusedExports(files: SourceFile[]): string[] {
  const code = files.filter(({ path }) => isCode(path) && !/\.(test|spec)\.tsx?$|^lib\/testing\//.test(path));
  const mentions = new Map<string, number>();
  for (const { text } of code)
    for (const [name] of text.matchAll(/[A-Za-z_$][\w$]*/g))
      mentions.set(name, (mentions.get(name) ?? 0) + 1);
  return productionCode(code)
    .filter(({ path }) => !EXPORTED_ANYWAY.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(EXPORTED_VALUE)]
        .map(([, name = ""]) => name)
        .filter((name) => mentions.get(name) === 1 && !FOR_TESTS.has(name))
        .map((name) => `${path}: ${name}`),
    );
}
