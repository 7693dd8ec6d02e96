import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { anyFreePort } from "@/lib/cli/port";
import { claimResponse } from "@/lib/contract/claim";
import { redeemResponse } from "@/lib/contract/redeem";
import { referrerResponse } from "@/lib/contract/referrer";
import { useServer } from "@/lib/testing/own-server";
import { guideFiles, runPage, samplesOf, shapeOf } from "@/lib/testing/samples";
import { useService } from "@/lib/testing/service";

const port = await anyFreePort();
const base = `http://127.0.0.1:${port}`;
useService({ APP_URL: base });
useServer(port);

const SCHEMAS = { referrer: referrerResponse, redeem: redeemResponse, claim: claimResponse };

const pages = guideFiles();
const all = pages.flatMap(samplesOf);
const curl = spawnSync("curl", ["--version"]).status === 0;

test.skipIf(!curl).each(["guides/quickstart.md", "guides/http.md", "guides/keys.md"])(
  "the blocks of %s do what it says",
  async (file) => {
    const steps = await runPage(file, { APP_URL: base });
    const answered = steps.filter(({ expected }) => expected?.info.startsWith("answer"));
    expect(steps.length).toBeGreaterThan(1);
    for (const { printed, expected, run } of answered) {
      expect(shapeOf(JSON.parse(printed)), run.text).toEqual(shapeOf(JSON.parse(expected?.text ?? "")));
    }
  },
  60_000,
);

test("every block of JSON can be read, and is what the contract says where it is an answer", () => {
  const blocks = all.filter(({ language }) => language === "json");
  expect(blocks.length).toBeGreaterThan(5);
  for (const { info, text } of blocks) {
    const value: unknown = JSON.parse(text);
    const name = info.split(" ").find((word): word is keyof typeof SCHEMAS => word in SCHEMAS);
    if (name) expect(SCHEMAS[name].parse(value)).toEqual(value);
  }
});
