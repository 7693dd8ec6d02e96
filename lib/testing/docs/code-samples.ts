import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { codeIn } from "@/lib/web/docs/highlight-store";
import { parseDocs } from "@/lib/web/docs/parse";
import { referencePages } from "@/lib/web/reference/pages";

const run = promisify(execFile);

export interface CodeSample {
  file: string;
  language: string;
  /** The text after the language: `run`, `answer` or the name of a schema. */
  info: string;
  text: string;
}

/** Pages of the documentation below `docs/`, without the decisions. */
export function guideFiles(): string[] {
  const here = (folder: string) => readdirSync(`docs/${folder}`).filter((name) => name.endsWith(".md"));
  return [...here("guides").map((name) => `guides/${name}`), ...here(".")];
}

/** The blocks of code of one page, in order. */
export function samplesOf(file: string): CodeSample[] {
  const { blocks } = parseDocs(file, readFileSync(`docs/${file}`, "utf8"));
  return codeIn(blocks).map(({ language, info, text }) => ({ file, language, info, text }));
}

/** The samples of every operation in the API reference, in all languages. */
export function referenceSamples(): CodeSample[] {
  return referencePages().flatMap(({ file, markdown }) =>
    codeIn(parseDocs(file, markdown).blocks)
      .filter(({ info }) => info === "sample")
      .map(({ language, info, text }) => ({ file, language, info, text })),
  );
}

const MARK = "----- end of a block -----";

const has = ({ info }: CodeSample, word: string): boolean => info.split(" ").includes(word);

/** The file name of a block that others import. */
const nameOf = ({ info }: CodeSample): string | undefined => /(?:^| )file=(\S+)/.exec(info)?.[1];

/** Writes a block to a file, if needed, and returns the command that runs it. */
async function place(folder: string, sample: CodeSample, index: number): Promise<string> {
  if (sample.language === "sh") return sample.text;
  const path = join(folder, `block-${index}.mjs`);
  await writeFile(path, sample.text);
  return `node "${path}"`;
}

/**
 * Runs the `run` blocks of a page, shell and JavaScript, in one shell, as a reader does who copies one after the other.
 * Returns the output of each, with the block that follows it.
 */
export async function runPage(file: string, env: Record<string, string>) {
  const samples = samplesOf(file);
  const runs = samples.filter((sample) => has(sample, "run"));
  const folder = await mkdtemp(join(tmpdir(), "metacode-samples-"));
  try {
    for (const sample of samples) {
      const name = nameOf(sample);
      if (name) await writeFile(join(folder, name), sample.text);
    }
    const commands = await Promise.all(runs.map((run, index) => place(folder, run, index)));
    const script = commands.map((command) => `${command}\nprintf '\\n${MARK}\\n'`).join("\n");
    const { stdout } = await run("sh", ["-euc", script], { env: { ...process.env, ...env } });
    const outputs = stdout.split(MARK);
    return runs.map((sample, index) => ({
      run: sample,
      printed: (outputs[index] ?? "").trim(),
      expected: samples[samples.indexOf(sample) + 1],
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The types of a value, such as `{ code: "string" }`. Two responses of one kind have the same shape. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, shapeOf(child)]));
}
