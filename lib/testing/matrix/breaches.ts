import { mayAct, ROLES } from "@/lib/contract/workspace";
import { DEMO_APP_ID, DEMO_WORKSPACE_ID } from "@/lib/program/demo/renew";
import { DEMO_SESSION } from "@/lib/tenants/accounts/session";
import type { Context } from "@/lib/tenants/context";
import { statementsOf } from "@/lib/testing/database/statements";
import type { Tenant } from "@/lib/testing/tenant";
import { type Cast, makeTenantWith } from "./cast";
import type { Door } from "./doors";
import { strayForm } from "./strays";
import { type Visitor, visit } from "./visit";

const FOREIGN = "https://evil.example";

/**
 * Statements allowed before access is granted: reads of the session, its account, its memberships, and an app's
 * workspace.
 */
const ACCESS_CHECK = /^select (?!.*\bfor (update|share)\b).* from "(sessions|users|memberships|apps)"/;
const ACCESS_TABLES = /"(sessions|users|memberships|workspaces|apps)"/;

const CHANGE = /^(insert|update|delete)\b/;

/** The result of a visit: refused by the frame for a reason, or let in. */
type Answer = "sign in" | "foreign" | "role" | "unknown" | "let in";

const REFUSALS: [Answer, RegExp][] = [
  ["sign in", /^(Sign in first|Your session has ended|NEXT_REDIRECT;\w+;\/sign-in)/],
  ["foreign", /^This (form|file) was not sent from a page of this site/],
  ["role", /^This needs the role \w+ in the workspace/],
  ["unknown", /^There is no such (app|workspace)/],
];

/** The app and the workspace that a visitor names. */
interface Owned {
  tenant: Pick<Tenant, "ctx">;
}

function formOf({ tenant: { ctx } }: Owned): FormData {
  const form = new FormData();
  form.set("appId", ctx.app.id);
  form.set("workspaceId", ctx.workspace.id);
  return form;
}

function requestOf({ method = "GET", path }: Door, headers: Headers): Request {
  const init = { method, headers, ...(method === "GET" || method === "HEAD" ? {} : { body: "x" }) };
  return new Request(`http://localhost:3000/${path}`, init);
}

/** The message of a refusal, from the result or the exception of an action or a route. */
async function messageOf(door: Door, cast: Owned, headers: Headers, form = formOf(cast)): Promise<string> {
  try {
    if (!door.method) {
      const state = await door.open({}, form);
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

/** Visits a door: its answer, and the statements and cookies until then. */
async function tryDoor(door: Door, visitor: Visitor, cast: Owned) {
  const browser = await visit(visitor);
  const before = JSON.stringify([...browser.cookies]);
  let message = "";
  const statements = await statementsOf(async () => {
    message = await messageOf(door, cast, browser.headers);
  });
  const answer = REFUSALS.find(([, pattern]) => pattern.test(message))?.[0] ?? "let in";
  const beyond = statements.filter(
    (text) =>
      !ACCESS_CHECK.test(text) || text.match(/(from|join) "\w+"/g)?.some((part) => !ACCESS_TABLES.test(part)),
  );
  return { answer, statements, beyond, touched: JSON.stringify([...browser.cookies]) !== before };
}

/**
 * Every fault of a door: visitors wrongly let in or refused, and data read or changed for a refused visitor. A door
 * without faults does not change `cast`.
 */
export async function breaches(door: Door, cast: Cast): Promise<string[]> {
  const { access } = door;
  if (!access) return ["was made by no frame"];
  const wrong: string[] = [];
  const refused = async (name: string, visitor: Visitor, expected: Answer) => {
    const { answer, beyond, statements, touched } = await tryDoor(door, visitor, cast);
    // A door that hides its outcome is checked by its effects.
    if (answer !== expected && !access.hidesOutcome) wrong.push(`${name}: ${answer} instead of ${expected}`);
    if (expected === "foreign" && statements.length > 0) wrong.push(`${name}: queried the database`);
    else if (beyond.length > 0) wrong.push(`${name}: ran ${beyond[0]}`);
    if (touched) wrong.push(`${name}: a cookie was set`);
  };
  const { roles, neighbour, removed, stale } = cast;
  if (door.method !== "GET" && door.method !== "HEAD") {
    await refused("a foreign page", { session: roles.owner, origin: FOREIGN }, "foreign");
  }
  if (access.in === "anywhere") return wrong;
  await refused("a stranger", {}, "sign in");
  await refused("a stale session", { session: stale }, "sign in");
  if (access.in === "account") return wrong;
  await refused("another workspace's owner", { session: neighbour }, "unknown");
  await refused("a removed member", { session: removed }, "unknown");
  for (const role of ROLES.filter((candidate) => !mayAct(candidate, access.role))) {
    await refused(`a ${role}`, { session: roles[role] }, "role");
  }
  for (const role of ROLES.filter((candidate) => mayAct(candidate, access.role))) {
    // A visit may leave, rename or delete the workspace, so each role visits a new one.
    const own = await makeTenantWith(role);
    const { answer, statements } = await tryDoor(door, { session: own.member }, own);
    if (answer !== "let in") wrong.push(`a ${role}: ${answer} instead of let in`);
    const change = statements.find((text) => CHANGE.test(text));
    if (access.readOnly && change) wrong.push(`a ${role}: is to read, and ran ${change}`);
  }
  return wrong;
}

/**
 * Every fault of a door for a visitor of the demo, who fills the form with `ids` by table: a change that the demo does not
 * refuse, a statement that changes rows, or a cookie.
 */
export async function demoBreaches(door: Door, ids: Record<string, string>): Promise<string[]> {
  const browser = await visit({ session: DEMO_SESSION });
  const cookies = JSON.stringify([...browser.cookies]);
  const demo = {
    tenant: { ctx: { app: { id: DEMO_APP_ID }, workspace: { id: DEMO_WORKSPACE_ID } } as Context },
  };
  let message = "";
  const statements = await statementsOf(async () => {
    message = await messageOf(door, demo, browser.headers, strayForm(door, demo.tenant, { ids }).form);
  });
  const { access, method, name } = door;
  const reads = access?.in !== "account" && (access?.readOnly || method === "GET" || method === "HEAD");
  const wrong = statements.filter((text) => CHANGE.test(text)).map((text) => `ran ${text}`);
  if (!reads && !access?.hidesOutcome && !/^The demo is read-only/.test(message)) {
    wrong.push(`answered "${message}"`);
  }
  if (JSON.stringify([...browser.cookies]) !== cookies) wrong.push("set a cookie");
  return wrong.map((what) => `${name} ${what}`);
}
