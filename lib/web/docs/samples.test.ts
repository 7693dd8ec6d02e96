import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { claimResponse } from "@/lib/contract/claim";
import { redeemResponse } from "@/lib/contract/redeem";
import { referrerResponse } from "@/lib/contract/referrer";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { guideFiles, runPage, samplesOf, shapeOf } from "@/lib/testing/docs/code-samples";
import { useServer } from "@/lib/testing/http/use-server";
import { needing } from "@/lib/testing/needing";
import { useService } from "@/lib/testing/service";

const port = await freePort();
const base = `http://127.0.0.1:${port}`;
useService({ APP_URL: base });
useServer(port);

const SCHEMAS = { referrer: referrerResponse, redeem: redeemResponse, claim: claimResponse };

const pages = guideFiles();
const all = pages.flatMap(samplesOf);
const curl = spawnSync("curl", ["--version"]).status === 0;

/** The fields of a response that are the same every time. */
const wordsOf = ({
  status,
  message,
  error,
}: Record<string, { code: string; message: string } | undefined>) => [
  status,
  message,
  error?.code,
  error?.message,
];

/** Pages with the number of blocks that are run, and of those that show a response. */
const RUN: [file: string, blocks: number, answers: number][] = [
  ["guides/quickstart.md", 6, 5],
  ["guides/http.md", 6, 1],
  ["guides/keys.md", 2, 0],
];

test.skipIf(!curl).each(RUN)(
  needing("the code blocks of %s do what the page says", curl, "no curl"),
  async (file, blocks, answers) => {
    const steps = await runPage(file, { APP_URL: base });
    const answered = steps.filter(({ expected }) => expected?.info.startsWith("answer"));
    expect([steps.length, answered.length]).toEqual([blocks, answers]);
    for (const { printed, expected, run } of answered) {
      const [real, shown] = [JSON.parse(printed), JSON.parse(expected?.text ?? "")];
      expect(shapeOf(real), run.text).toEqual(shapeOf(shown));
      expect(wordsOf(real), run.text).toEqual(wordsOf(shown));
    }
  },
);

test("every block of JSON can be parsed, and matches the contract where it is a response", () => {
  const blocks = all.filter(({ language }) => language === "json");
  expect(blocks.length).toBeGreaterThan(5);
  for (const { info, text } of blocks) {
    const value: unknown = JSON.parse(text);
    const name = info.split(" ").find((word): word is keyof typeof SCHEMAS => word in SCHEMAS);
    if (name) expect(SCHEMAS[name].parse(value)).toEqual(value);
  }
});
