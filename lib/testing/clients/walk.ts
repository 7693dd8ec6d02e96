import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { referrals } from "@/lib/platform/db/schema";
import {
  type AnswerFault,
  CLAIMED_BEFORE,
  SAME_TEXT,
  startFaultProxy,
} from "@/lib/testing/clients/fault-proxy";
import { referenceSamples, samplesOf } from "@/lib/testing/docs/code-samples";
import { makeTenant } from "@/lib/testing/tenant";

const execute = promisify(execFile);

/** Runs a program and returns its output. Throws with its messages if it fails. */
export async function runCommand(command: string, args: string[], cwd: string): Promise<string> {
  const { stdout } = await execute(command, args, { cwd, maxBuffer: 64e6 }).catch((error) => {
    throw new Error(`${command} failed:\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

/** Whether this machine can run a program. */
export async function hasTool(command: string, ...args: string[]): Promise<boolean> {
  return execute(command, args).then(
    () => true,
    () => false,
  );
}

/** Whether npm can fetch the packages that a client needs. */
export async function hasRegistry(): Promise<boolean> {
  return hasTool("npm", "view", "typescript", "version", "--fetch-retries=0");
}

/** An empty folder for the files of a client. */
export async function clientFolder(name: string): Promise<string> {
  const folder = join(process.cwd(), ".build/clients", name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** A block that belongs inside a function or a view, or that is a whole app. */
const INNER_BLOCK = /^(?:\.|@Environment|(?:await )?Purchases|Application|for await)|\n@main/;

/** Writes a guide's blocks in some languages to files; `file=` names a block. Writes all but the inner blocks, or only those. */
export async function writeGuide(
  folder: string,
  guide: string,
  languages: string[],
  { inner = false } = {},
): Promise<void> {
  for (const [index, { language, info, text }] of samplesOf(`guides/${guide}.md`).entries()) {
    if (!languages.includes(language) || INNER_BLOCK.test(text) !== inner) continue;
    const name = /file=(\S+)/.exec(info)?.[1] ?? `${guide}${index}.${EXTENSIONS[language] ?? language}`;
    await writeFile(join(folder, name), text);
  }
}

/** Writes the samples of the API reference in one language to files of a folder, each completed by `wrap`. */
export async function writeReference(
  folder: string,
  language: string,
  wrap: (imports: string, body: string, index: number) => string,
): Promise<void> {
  const samples = referenceSamples().filter((sample) => sample.language === language);
  for (const [index, { text }] of samples.entries()) {
    const lines = text.split("\n");
    const start = lines.indexOf("") + 1;
    const [imports, body] = [lines.slice(0, start).join("\n"), lines.slice(start).join("\n")];
    const name = `reference${index}.${EXTENSIONS[language] ?? language}`;
    await writeFile(join(folder, name), wrap(imports, body, index));
  }
}

const EXTENSIONS: Record<string, string> = { csharp: "cs", kotlin: "kt", swift: "swift" };

/** The line that each client's program prints. */
interface Report {
  metacode: string;
  code: string;
  again: string;
  words: string;
  /** Number of times that the client called `headers` for its first call, which it sent four times. */
  headerCalls: number;
  /** The screen's text for a claim without a connection. */
  offline: string;
  rewards: string[];
  /** The stored codes of each user of the phone. Eve used her code before it was assigned to her again. */
  codes: Record<string, string[]>;
  /** The store addresses that anna's phone has after two more claims. She has used her codes, though both claims list them again. */
  left: string[];
  /** The statuses of the responses that did not come from the service. */
  refused: number[];
  /** The id of a refusal by the service, for the app's log. */
  requestId: string;
}

/**
 * Lets a client create a referrer, redeem twice and claim twice through a proxy that loses, cuts and replaces responses. Expects
 * one code for the referee, and every code on the phone, those beside errors too. Bob's redeem meets a lost response and three
 * that are not the service's, and carl redeems before bob's retry: the key of bob's first request must still return his code.
 */
export async function expectWalk(
  base: string,
  start: (url: string, key: string) => Promise<string>,
): Promise<void> {
  const tenant = await makeTenant({ codes: 20 });
  const faults: Record<string, AnswerFault[]> = {
    "/referrer": ["error page", "cut", "portal's JSON"],
    "/referee-redeem": [
      ...(["lost", "expired", "blocked", "missing", "paused"] as const),
      ...(["assigned", "assigned", "portal", "portal's JSON", "paused"] as const),
    ],
    "/referrer-claim": ["unauthorized", "wait", "portal's JSON", "no code", "no code", "same text"],
  };
  const { url, met, server } = await startFaultProxy(`${base}/api`, faults);
  try {
    const report: Report = JSON.parse((await start(url, tenant.key)).trim().split("\n").at(-1) ?? "");
    expect(met).toEqual(Object.values(faults).flat());
    const rows = await tenant.ctx.db.orm
      .select()
      .from(referrals)
      .where(and(eq(referrals.appId, tenant.ctx.app.id), eq(referrals.refereeUid, "bob")));
    expect(rows).toHaveLength(1);
    expect(report.code).toMatch(/\w{4}/);
    expect(report.again).toBe(report.code);
    expect(report.words).toBe("You already have this code.");
    expect(report.headerCalls).toBe(1);
    expect(report.offline).toBe("There is no connection. Please try again.");
    const rewards = CLAIMED_BEFORE.map(({ code }) => code);
    expect(report.rewards).toEqual(rewards);
    expect(report.codes).toEqual({ bob: [report.code], anna: rewards, eve: rewards.slice(0, 1) });
    expect(report.left).toEqual([SAME_TEXT.store_url]);
    expect(report.refused).toEqual([401, 403, 404, 401]);
    expect(report.requestId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  } finally {
    server.close();
  }
}
