import { isTool, productionCode, type SourceFile } from "./tree";

const MAX_LINES = 250;

/** Next asks for the runtime in the one place where no code of ours has been loaded yet. */
const READS_ENV = /^(lib\/env\.ts|instrumentation\.ts)$/;
const MAKES_RESPONSES = /^(lib\/(http|server|landing)|app\/r)\/|^proxy\.ts$/;

/** Kept in halves, or this file would break its own rule. */
const MACHINE_PATH = new RegExp(
  `(^|[^\\w.~/-])/(${["wo" + "rk", "ro" + "ot"].join("|")})/[a-z.]|/ho${"me"}/[a-z]+/[a-z]`,
  "m",
);

type Check = (file: SourceFile) => boolean;

/** What no file may hold, by name. A check answers whether the file breaks the rule. */
const CHECKS: Record<string, Check> = {
  "longer than 250 lines": ({ path, text }) =>
    /\.(tsx?|mjs|sql|css)$/.test(path) &&
    !path.startsWith("drizzle/") &&
    text.split("\n").length > MAX_LINES + 1,
  "reads process.env": ({ path, text }) =>
    isCode(path) && !isTool(path) && !READS_ENV.test(path) && /process\s*\.\s*env|process\[/.test(text),
  "makes a Response": ({ path, text }) =>
    isCode(path) &&
    !isTool(path) &&
    !MAKES_RESPONSES.test(path) &&
    /new (Next)?Response\(|Response\.json\(/.test(text),
  "names a folder of a machine": ({ path, text }) => path !== "package-lock.json" && MACHINE_PATH.test(text),
  "has an unfinished note": ({ path, text }) =>
    isCode(path) && new RegExp(`\\b(TO${"DO"}|FIX${"ME"}|XX${"X"})\\b`).test(text),
  "re-exports as a barrel": ({ path, text }) =>
    isCode(path) && path !== "lib/db/schema/index.ts" && /^export \* from/m.test(text),
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

/** Lines a file of ours has: the median and the ninth decile. */
export function lineCounts(files: SourceFile[]): { median: number; p90: number } {
  const counts = productionCode(files)
    .map(({ text }) => text.split("\n").length - 1)
    .sort((a, b) => a - b);
  const at = (part: number) => counts[Math.floor(counts.length * part)] ?? 0;
  return { median: at(0.5), p90: at(0.9) };
}
