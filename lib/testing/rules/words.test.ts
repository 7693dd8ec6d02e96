import { expect, test } from "vitest";
import { projectFiles } from "./tree";
import { retiredWords } from "./words";

test("no file uses a retired word", () => {
  const files = projectFiles();
  expect(files.length).toBeGreaterThan(200);
  expect(retiredWords(files)).toEqual([]);
});

test.each([
  ["lib/x/y.ts", "export const roomOf = (appId: string) => appId;"],
  ["lib/x/y.ts", "function send(letterText: string) {}"],
  ["lib/x/y.ts", "const one = and(a, b);"],
  ["lib/x/y.ts", "rows.filter((one) => one.id);"],
  ["lib/x/y.ts", "const { who, when } = event;"],
  ["lib/x/y.ts", "for (const [who, count] of entries) total += count;"],
  ["lib/x/y.ts", "const told_people = 3;"],
  ["lib/x/y.ts", `const text = \`\${judgedAt}\`;`],
  ["lib/x/y.ts", "// Who is still to be counted goes alone."],
  ["lib/x/y.ts", "/**\n * What ends a request without codes: nothing that passes by itself.\n */"],
  ["lib/x/y.sql", "-- What a referral was before."],
  ["lib/x/y.ts", "// A row that nobody reads."],
  ["lib/x/y.ts", `fail("CONFLICT", "Somebody else owns it");`],
  ["components/x/y.tsx", "<p>Starts anew on {date}</p>"],
  ["components/x/y.tsx", "<h2>Newest activity</h2>"],
  ["docs/guides/x.md", "Codes are handed out in order."],
  ["lib/x/words.ts", "export const LABEL = 1;"],
  ["lib/x/go-elsewhere.ts", "export const start = 1;"],
  ["lib/letters/send.ts", "export const start = 1;"],
  ["components/give-code/form.tsx", "export const start = 1;"],
  ["docs/judge.md", "A page."],
  ["lib/x/judge_all.sql", "select 1;"],
  ["lib/x/y.sql", "create or replace function give_code(p_app uuid) returns void"],
  ["lib/x/y.sql", "  v_told timestamptz;"],
  ["lib/x/y.sql", "-- A code is handed\n-- out once."],
  ["lib/x/y.sql", "-- The row of the referral.\n\n-- What a referral was before."],
  ["lib/x/y.ts", "/**\n * Codes are handed\n * out in order.\n */"],
  ["lib/x/y.ts", "// The caller is told\n  // of it."],
  ["lib/x/y.ts", "export function giveReward() {}"],
  ["lib/x/y.test.ts", `test("gives a referee a code", () => {});`],
  ["lib/x/y.test.ts", `test("who redeems twice is refused", () => {});`],
  ["lib/x/y.test.ts", `it.each([\n  ["a", 1],\n])("what is no code is refused: %s", () => {});`],
  ["docs/guides/x.md", "- Codes are handed\n  out in order."],
  ["docs/guides/x.md", "> Every referee is given\n> a code."],
  ["lib/x/y.ts", "const choose = (row: Row, who: string) => row.name;"],
  ["lib/x/y.ts", "function choose(row: Row, one?: string) {}"],
  ["lib/x/y.ts", "const lanes = 4;"],
  ["components/x/y.tsx", "<p>Requests of this month</p>"],
  ["components/x/y.tsx", "<p>Who is told</p>"],
  ["docs/guides/x.md", "The person stands under *Referrals*."],
  ["components/x/y.tsx", "<Button>Make a pool</Button>"],
  ["components/x/y.tsx", `<Field hint="Empty: no end" />`],
  [".env.example", "# Whoever starts it."],
  ["deploy/x.yaml", "# Nobody reads it."],
  ["app/globals.css", "/* Whoever prints it. */"],
  ["lib/x/y.ts", "async function keepAccount(id: string) {}"],
  ["lib/x/y.ts", "const tellOwner = async (id: string): Promise<void> => send(id);"],
  ["lib/x/y.sql", "create or replace function tell_referral(p_app uuid) returns void"],
  ["lib/x/y.sql", "declare\n  v_one uuid;"],
  ["lib/x/y.ts", "async function* inTurn() {}"],
  ["lib/x/y.ts", "interface Event { at: Date; who: string }"],
  ["lib/x/y.ts", "const people = await listReferrers(ctx);"],
  ["lib/x/y.ts", "// The person is told."],
  ["lib/x/y.ts", "// Opens the room of the app."],
  ["lib/x/y.ts", "// Judges the event."],
  ["lib/x/y.ts", "// The moment of the assignment."],
  ["components/x/y.tsx", "<p>Needs attention</p>"],
  ["components/x/y.tsx", "<p>We sent you a letter</p>"],
  ["components/x/y.tsx", "<p>Sign in elsewhere</p>"],
  ["lib/x/y.ts", "// Those who redeem twice are refused."],
  ["lib/x/turns.ts", "export const LABEL = 1;"],
  ["lib/x/y.ts", `fail("NOT_FOUND", "No delivery has this id");`],
  ["lib/x/y.ts", `fail("NOT_FOUND", "API key not found, or already rotated");`],
  ["lib/x/y.ts", `fail("CONFLICT", \`"\${row.name}" is active\`);`],
  ["components/x/y.tsx", `<Dialog title={\`End "\${name}"?\`} />`],
])("a planted word in %s is found: %s", (path, text) => {
  expect(retiredWords([{ path, text }])).not.toEqual([]);
});

test.each([
  ["lib/x/y.ts", "const phone = 1; const someone = 2; const words_of_text = 3;"],
  ["lib/x/y.ts", `const row = { action: "letter.sent", place: "outside" };`],
  ["lib/x/y.ts", "// Counts the request before the body is read. What about the body? It costs a unit."],
  ["components/x/y.tsx", "<p>Codes of 4 letters, or a new one outside of {store}.</p>"],
  ["docs/guides/x.md", "Each code is assigned once. The limit has room again. The two are told apart."],
  ["lib/x/y.test.ts", "const makeTenant = () => 1;"],
  ["lib/x/y.sql", "-- The lane of a delivery.\nselect lane, 'judged by hand' from webhook_deliveries;"],
  ["lib/x/y.test.ts", `test("what happens without a code?", () => {});`],
  ["lib/x/y.test.ts", `describe("a referee", () => {\n  test("who redeems twice is refused", () => {});`],
  ["docs/guides/x.md", "The app gives each user a name.\n\nCodes are files."],
  ["lib/x/y.ts", `fail("CONFLICT", \`“\${row.name}” is active\`); headers.set("ETag", \`"\${hash}"\`);`],
])("plain English in %s passes: %s", (path, text) => {
  expect(retiredWords([{ path, text }])).toEqual([]);
});
