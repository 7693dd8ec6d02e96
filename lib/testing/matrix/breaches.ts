import { mayAct, ROLES } from "@/lib/contract/roles";
import { statementsOf } from "@/lib/testing/statements";
import { type Cast, makeCast } from "./cast";
import type { Door } from "./doors";
import { type Visitor, visit } from "./visit";

const FOREIGN = "https://evil.example";

/** All that may be read before somebody is let in: the account, its memberships, and which workspace an app is of. */
const LOCK = /^select (?!.*\bfor (update|share)\b).* from "(users|memberships|apps)"/;
const LOCK_TABLES = /"(users|memberships|workspaces|apps)"/;

const CHANGE = /^(insert|update|delete)\b/;

/** How a door answered: refused by its frame, or whatever came of letting the visitor in. */
type Answer = "sign in" | "foreign" | "role" | "unknown" | "let in";

const REFUSALS: [Answer, RegExp][] = [
  ["sign in", /^(Sign in first|NEXT_REDIRECT;\w+;\/sign-in)/],
  ["foreign", /^This (form|file) was not sent from a page of this site/],
  ["role", /^This needs the role \w+ in the workspace/],
  ["unknown", /^There is no such (app|workspace)/],
];

function formOf({ tenant: { ctx } }: Cast): FormData {
  const form = new FormData();
  form.set("appId", ctx.app.id);
  form.set("workspaceId", ctx.workspace.id);
  return form;
}

function requestOf({ method = "GET", path }: Door, headers: Headers): Request {
  const init = { method, headers, ...(method === "GET" || method === "HEAD" ? {} : { body: "x" }) };
  return new Request(`http://localhost:3000/${path}`, init);
}

/** The words of an answer, from whatever an action or a route gives back or throws. */
async function wordsOf(door: Door, cast: Cast, headers: Headers): Promise<string> {
  try {
    if (!door.method) {
      const state = await door.open({}, formOf(cast));
      return (state as { error?: { message: string } } | undefined)?.error?.message ?? "";
    }
    const { app, workspace } = cast.tenant.ctx;
    const params = { appId: app.id, workspaceId: workspace.id };
    const response = (await door.open(requestOf(door, headers), {
      params: Promise.resolve(params),
    })) as Response;
    const text = await response.text();
    return response.ok ? "" : (/"message":"([^"]*)"/.exec(text)?.[1] ?? text);
  } catch (thrown) {
    return String((thrown as { digest?: string }).digest ?? thrown);
  }
}

/** Knocks as somebody: how the door answered, and what was asked of the database and the browser until then. */
async function knock(door: Door, visitor: Visitor, cast: Cast) {
  const browser = await visit(visitor);
  const before = JSON.stringify([...browser.cookies]);
  let words = "";
  const statements = await statementsOf(async () => {
    words = await wordsOf(door, cast, browser.headers);
  });
  const answer = REFUSALS.find(([, pattern]) => pattern.test(words))?.[0] ?? "let in";
  const beyond = statements.filter(
    (text) => !LOCK.test(text) || text.match(/(from|join) "\w+"/g)?.some((part) => !LOCK_TABLES.test(part)),
  );
  return { answer, statements, beyond, touched: JSON.stringify([...browser.cookies]) !== before };
}

/**
 * Everything that is wrong with a door: who gets in and should not, who does not and should, and what was read or
 * changed for somebody who was refused. `cast` is not changed by a sound door.
 */
export async function breaches(door: Door, cast: Cast): Promise<string[]> {
  const { needs } = door;
  if (!needs) return ["was made by no frame"];
  const wrong: string[] = [];
  const refused = async (who: string, visitor: Visitor, expected: Answer) => {
    const { answer, beyond, statements, touched } = await knock(door, visitor, cast);
    // A silent door is judged by what it did.
    if (answer !== expected && !needs.silent) wrong.push(`${who}: ${answer} instead of ${expected}`);
    if (expected === "foreign" && statements.length > 0) wrong.push(`${who}: asked the database`);
    else if (beyond.length > 0) wrong.push(`${who}: ran ${beyond[0]}`);
    if (touched) wrong.push(`${who}: a cookie was set`);
  };
  const { roles, neighbour, removed, stale } = cast;
  if (door.method !== "GET" && door.method !== "HEAD") {
    await refused("a foreign page", { session: roles.owner, origin: FOREIGN }, "foreign");
  }
  if (needs.in === "anywhere") return wrong;
  await refused("a stranger", {}, "sign in");
  await refused("a stale session", { session: stale }, "sign in");
  if (needs.in === "account") return wrong;
  await refused("another workspace's owner", { session: neighbour }, "unknown");
  await refused("a removed member", { session: removed }, "unknown");
  for (const role of ROLES.filter((one) => !mayAct(one, needs.role))) {
    await refused(`a ${role}`, { session: roles[role] }, "role");
  }
  for (const role of ROLES.filter((one) => mayAct(one, needs.role))) {
    // Whoever is let in may leave, rename or delete: each finds a workspace of its own.
    const own = await makeCast();
    const { answer, statements } = await knock(door, { session: own.roles[role] }, own);
    if (answer !== "let in") wrong.push(`a ${role}: ${answer} instead of let in`);
    const change = statements.find((text) => CHANGE.test(text));
    if (needs.reads && change) wrong.push(`a ${role}: is to read, and ran ${change}`);
  }
  return wrong;
}
