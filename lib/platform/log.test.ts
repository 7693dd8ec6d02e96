import { existsSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { readCounter } from "@/lib/platform/counters";
import { database, openDatabase } from "@/lib/platform/db/client";
import { providerConnections, users } from "@/lib/platform/db/schema";
import { GatheredLines, loggerTo } from "@/lib/platform/log";
import { RETURN_QUOTA } from "@/lib/tenants/quota/lease";
import { useService } from "@/lib/testing/service";

useService({ LOG_LEVEL: "trace" });

const MARKER = "marker-7f3a9c";
const ID = "01900000-0000-7000-8000-000000000000";
const LONG = "x".repeat(100_000);

let lines: string[];
let logger: ReturnType<typeof loggerTo>;

beforeEach(() => {
  lines = [];
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  logger = loggerTo(sink);
});

/** The only line that logging `error` writes. */
function lineOf(error: unknown) {
  logger.error({ err: error }, "request failed");
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain(MARKER);
  expect(lines[0]?.length).toBeLessThan(20_000);
  return JSON.parse(lines[0] ?? "");
}

const thrownBy = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (e) => e,
  );

const account = { id: ID, email: `${MARKER}@example.com`, name: "Ann", passwordHash: `$argon2id$${MARKER}` };

beforeAll(async () => {
  await database().orm.insert(users).values(account);
});

test("a failed insert is described without its values", async () => {
  const { err } = lineOf(await thrownBy(database().orm.insert(users).values(account)));
  expect(err).toMatchObject({
    type: "DrizzleQueryError",
    code: "23505",
    message: expect.stringContaining("unique constraint"),
    stack: expect.stringMatching(/^at .*:\d+:\d+\)?$/m),
    cause: { code: "23505", stack: expect.stringContaining("at ") },
  });
});

test("the log of an insert with values of the wrong type or like lines of a stack shows none of them", async () => {
  const row = {
    id: MARKER,
    appId: ID,
    provider: "revenuecat",
    secret: `a\n    at ${MARKER} (x.ts:1:2)\nparams: b`,
  };
  const { err } = lineOf(await thrownBy(database().orm.insert(providerConnections).values(row)));
  expect(err).toMatchObject({ code: "22P02", message: 'invalid input syntax for type uuid: "[removed]"' });
});

test("the log of a failed call of a function shows none of its values", async () => {
  const broken = database().call(RETURN_QUOTA, { workspace: MARKER, reset: 0, units: 1 });
  expect(lineOf(await thrownBy(broken)).err).toMatchObject({ code: "22P02", type: "error" });
});

test("the log of a database that is away, or of several errors at once, shows no values", async () => {
  const away = openDatabase({ url: `postgres://stranger:${MARKER}@127.0.0.1:1/nothing` });
  const insert = await thrownBy(away.orm.insert(users).values(account));
  const parts = [insert, Object.assign(new Error("second"), { code: "ECONNRESET", secret: MARKER }), "third"];
  const { err } = lineOf(new AggregateError(parts, "both failed"));
  expect(err).toMatchObject({ type: "AggregateError", message: "both failed" });
  expect(err.errors).toMatchObject([{ code: "ECONNREFUSED" }, { code: "ECONNRESET" }, { message: "third" }]);
});

test("text that was not JSON is not repeated", () => {
  try {
    JSON.parse(`{"secret":${MARKER}`);
  } catch (error) {
    expect(lineOf(error).err.type).toBe("SyntaxError");
  }
});

test("a long error, a long chain and a circle of causes end", () => {
  const first = new Error(LONG);
  first.stack = `Error: ${LONG}\n${`    at ${LONG} (x.ts:1:2)\n`.repeat(50)}`;
  let error = first;
  for (let link = 0; link < 50; link++) error = new Error(LONG, { cause: error });
  first.cause = error;
  expect(lineOf(error).err.cause.message).toMatch(/^x+$/);
  const many = new AggregateError(Array.from({ length: 1_000 }, () => first));
  logger.error({ err: many }, "failed");
  expect(lines[1]?.length).toBeLessThan(20_000);
});

test("an error without words beside it does not become the line's words", () => {
  logger.error(new Error(`Failed query: x\nparams: ${MARKER}`, { cause: 1 }));
  logger.error({ err: Object.assign(new Error(`params: ${MARKER}`), { query: "x", params: [MARKER] }) });
  expect(JSON.parse(lines[1] ?? "").msg).toBe("an error");
  expect(lines[1]).not.toContain(MARKER);
  expect(JSON.parse(lines[0] ?? "").msg).toBe("an error");
});

test("secrets are removed by name; ids and error codes stay", () => {
  const secrets = Object.fromEntries(
    ["code", "key", "password", "secret", "token", "authorization", "x-api-key", "cookie"].map((name) => [
      name,
      MARKER,
    ]),
  );
  const err = Object.assign(new Error("gone"), { code: "ECONNRESET" });
  logger.info({ ...secrets, headers: secrets, key_id: ID, error: "RATE_LIMITED", err }, "request");
  expect(lines[0]).not.toContain(MARKER);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    key_id: ID,
    code: "[removed]",
    headers: { "x-api-key": "[removed]" },
    error: "RATE_LIMITED",
    err: { code: "ECONNRESET", message: "gone" },
  });
});

function gathering(path = join(mkdtempSync(join(tmpdir(), "metacode-")), "lines")) {
  // Stays open: once closed, its number would be that of the next socket, which lines that still wait must not reach.
  const file = openSync(path, "a");
  return { file, lines: new GatheredLines(file), read: () => readFileSync(path, "utf8") };
}

test("lines are written together, those that come during a write too, and nothing is left to do afterwards", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { lines, read } = gathering();
  const first = `${"x".repeat(9_000)}\n`;
  // More than is gathered is written at once, and the next line comes meanwhile.
  lines.write(first);
  lines.write("second\n");
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(100);
  await vi.waitFor(() => {
    vi.advanceTimersByTime(100);
    expect(read()).toBe(`${first}second\n`);
  }, 60_000);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0), 60_000);
  lines.write("third\n");
  lines.end();
  expect(read()).toBe(`${first}second\nthird\n`);
});

test.skipIf(!existsSync("/dev/full"))(
  "a full disk, as /dev/full is, keeps lines until there is room, and no process from its exit",
  async () => {
    const { file, read } = gathering();
    const { lines } = gathering("/dev/full");
    for (const line of ["first\n", "second\n"]) lines.write(line);
    const failed = () =>
      expect(lines).toMatchObject({ writing: false, rest: Buffer.from("first\nsecond\n") });
    await vi.waitFor(failed, 60_000);
    lines.end();
    expect(read()).toBe("");
    Object.assign(lines, { file });
    await vi.waitFor(() => expect(read()).toBe("first\nsecond\n"), 60_000);
  },
);

test.skipIf(!existsSync("/dev/full"))(
  "lines beyond 4 MiB are dropped on a full disk, as /dev/full is, and counted",
  () => {
    const { lines } = gathering("/dev/full");
    const dropped = () => readCounter("log_lines_dropped").get("") ?? 0;
    const before = dropped();
    // The first line is being written, and 42 wait.
    for (let count = 0; count < 45; count++) lines.write(`${LONG}\n`);
    expect(dropped() - before).toBe(2);
  },
);
