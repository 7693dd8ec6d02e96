import { execFile, spawnSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimRequest, claimResponse } from "@/lib/contract/claim";
import { redeemRequest, redeemResponse } from "@/lib/contract/redeem";
import { referrerRequest, referrerResponse } from "@/lib/contract/referrer";
import { ERROR_STATUS } from "@/lib/platform/errors";
import { type CodeSample, referenceSamples, samplesOf } from "@/lib/testing/docs/code-samples";

/** Inside the project, so that packages are found; only this test reads it. */
const FOLDER = ".build/docs-code";

const CONFIG = {
  compilerOptions: {
    target: "ES2023",
    module: "esnext",
    moduleResolution: "bundler",
    jsx: "react-jsx",
    lib: ["dom", "ES2024"],
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowJs: true,
    checkJs: true,
    noImplicitAny: false,
  },
  include: ["**/*"],
};

const isScript = ({ language }: CodeSample): boolean => ["ts", "tsx", "js"].includes(language);

/** Every block becomes a file in a folder of its page, beside the files that it imports. */
async function writeBlocks(samples: readonly CodeSample[]): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, "tsconfig.json"), JSON.stringify(CONFIG));
  for (const [index, { file, language, info, text }] of samples.entries()) {
    const folder = join(FOLDER, file.replace(/\W/g, "-"));
    await mkdir(folder, { recursive: true });
    const name = /file=(\S+)/.exec(info)?.[1] ?? `block-${index}.${language === "js" ? "mjs" : language}`;
    await writeFile(join(folder, name), `${text}\nexport {};\n`);
  }
}

/** The values that the reader of a sample has to supply. */
function givenOf({ file, info }: CodeSample): string {
  if (file === "providers.md") return 'const connectionUrl = "", connectionSecret = "";\n';
  return info === "sample" ? 'const intentionId = "";\n' : "";
}

const complaints = (): Promise<string> =>
  new Promise((resolve) =>
    execFile(process.execPath, ["node_modules/typescript/bin/tsc", "-p", FOLDER], (_error, stdout) =>
      resolve(stdout),
    ),
  );

const CLIENTS = ["http", "swift", "kotlin", "flutter", "react-native", "unity"].map(
  (name) => `guides/${name}.md`,
);

test("every block of TypeScript and JavaScript compiles (React Native's in `npm run test:clients`)", async () => {
  const own = CLIENTS.filter((file) => !file.includes("react-native"));
  const pages = [...own, "guides/keys.md", "providers.md"].flatMap(samplesOf);
  const samples = [...pages, ...referenceSamples()].filter(isScript);
  const known = samples.map((sample) => ({ ...sample, text: `${givenOf(sample)}${sample.text}` }));
  expect(samples.length).toBeGreaterThan(16);
  await writeBlocks(known);
  expect(await complaints()).toBe("");
});

test("every sample of curl in the reference is a command", () => {
  const samples = referenceSamples().filter(({ language }) => language === "sh");
  expect(samples.length).toBeGreaterThan(8);
  for (const { text } of samples) {
    expect(text).toMatch(/^curl /);
    expect(spawnSync("sh", ["-nc", text]).stderr.toString(), text).toBe("");
  }
});

/** Names of properties at any depth of a JSON schema. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = "properties" in schema ? Object.keys(schema.properties ?? {}) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}

/** Property names of the API, from its schemas. */
async function contractNames(): Promise<Set<string>> {
  const { z } = await import("zod");
  const schemas = [
    referrerRequest,
    referrerResponse,
    redeemRequest,
    redeemResponse,
    claimRequest,
    claimResponse,
  ];
  const described = schemas.map((schema) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  return new Set([
    ...described.flatMap(keysOf),
    ...["error", "redemption", "request_id", "recent_claims", "name"],
  ]);
}

const PATHS = ["/referrer", "/referee-redeem", "/referrer-claim"];

/** Code that cannot be compiled here must at least use the contract's names. */
const FOREIGN = ["guides/swift.md", "guides/kotlin.md", "guides/flutter.md", "guides/unity.md"];
const LANGUAGES = ["swift", "kotlin", "dart", "csharp"];

const foreignText = (file: string): string =>
  samplesOf(file)
    .filter(({ language }) => LANGUAGES.includes(language))
    .map(({ text }) => text)
    .join("\n");

test.each([...FOREIGN, "guides/react-native.md"])(
  "the client of %s names the phone's platform in a claim, for a campaign that pays on it",
  (file) => {
    const text = samplesOf(file)
      .map((sample) => sample.text)
      .join("\n");
    const [claim] = /(?:func?|async|>) claim\w*\([\s\S]*?NO_REWARDS_AVAILABLE/i.exec(text) ?? [];
    expect(claim).toMatch(/platform/i);
  },
);

const found = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, word = ""]) => word)),
];

test.each(FOREIGN)("the code of %s uses only names of the contract", async (file) => {
  const names = await contractNames();
  const text = foreignText(file);
  // Names of packages have underscores, too.
  const code = text.replace(/^import .*$/gm, "");
  const used = [
    ...found(code, /\b([a-z]+(?:_[a-z]+)+)\b/g),
    ...found(
      code,
      /(?:get(?:String|Int|JSONObject|JSONArray)\(|\b(?:json|answer|body)\[|put\()["']([a-z_]+)["']/g,
    ),
    ...(file.includes("swift") ? swiftFields(file) : []),
  ];
  expect(used.length).toBeGreaterThan(4);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
  expect(found(text, /["'](\/refer[\w-]*)["']/g).sort()).toEqual([...PATHS].sort());
  const codes = found(text, /["']([A-Z]+(?:_[A-Z]+)+|CONFLICT)["']/g);
  expect(codes).toContain("ALREADY_REDEEMED");
  expect(codes.filter((code) => !Object.hasOwn(ERROR_STATUS, code))).toEqual([]);
});

/** Swift's decoder turns `store_url` into `storeUrl`, so its property names are converted back. */
function swiftFields(file: string): string[] {
  const answers = samplesOf(file).find(({ info }) => info === "answers")?.text ?? "";
  return found(answers, /\blet (\w+):/g).map((name) =>
    name.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`),
  );
}
