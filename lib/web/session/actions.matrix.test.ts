import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { enterDemoAction } from "@/app/(auth)/sign-in/actions";
import { signOutAction } from "@/app/dashboard/actions";
import { uuidField } from "@/lib/contract/fields";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { database } from "@/lib/platform/db/client";
import { DEMO_APP_ID, DEMO_WORKSPACE_ID, renewDemo } from "@/lib/program/demo/renew";
import { DEMO_SESSION } from "@/lib/tenants/accounts/session";
import { stopClock } from "@/lib/testing/clock";
import { stateOfAll } from "@/lib/testing/database/rows";
import { breaches, demoBreaches } from "@/lib/testing/matrix/breaches";
import { type Cast, makeCast, makeTenantWith } from "@/lib/testing/matrix/cast";
import { type Door, doorsOf, findDoors, hiddenActions } from "@/lib/testing/matrix/doors";
import { misdeclared } from "@/lib/testing/matrix/policy";
import { idsOf, makeVictim, strayForm, victimState } from "@/lib/testing/matrix/strays";
import { visit } from "@/lib/testing/matrix/visit";
import { useService } from "@/lib/testing/service";
import { guarded } from "@/lib/web/session/access";
import {
  dashboardAction,
  dashboardQuery,
  formAction,
  userAction,
  workspaceAction,
} from "@/lib/web/session/action";
import { appDownload } from "@/lib/web/session/download";
import { readSessionToken } from "@/lib/web/session/token";

vi.mock("next/headers", () => import("@/lib/testing/matrix/visit"));
vi.mock("next/cache", () => ({ revalidatePath: () => undefined, revalidateTag: () => undefined }));

useService({ AUTH_SECRET: "m".repeat(32), APP_URL: "http://localhost:3000", PUBLIC_DEMO: "on" });

let cast: Cast;
beforeAll(async () => {
  cast = await makeCast();
});

describe("every action and every file of the dashboard", () => {
  test("is found, made by a frame, and requires the role of its section", async () => {
    const doors = await findDoors();
    expect(doors.length).toBeGreaterThan(5);
    expect(doors.flatMap((door) => misdeclared(door).map((what) => `${door.name} ${what}`))).toEqual([]);
    expect(hiddenActions()).toEqual([]);
  });

  test("admits the roles that it declares, and reads and changes nothing for other callers", async () => {
    const wrong: string[] = [];
    for (const door of await findDoors()) {
      for (const what of await breaches(door, cast)) wrong.push(`${door.name} ${what}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("an owner who submits another workspace's rows in a form of their own app", () => {
  test("changes none of them and learns nothing about them", async () => {
    const victim = await makeVictim();
    const doors = (await findDoors()).filter(({ access, method }) => !method && access && "role" in access);
    let before = await victimState(victim);
    const wrong: string[] = [];
    let sound = 0;
    for (const door of doors) {
      const { tenant, member } = await makeTenantWith("owner");
      const stray = strayForm(door, tenant, victim);
      sound += stray.sound ? 1 : 0;
      await visit({ session: member });
      const answer = await door.open({}, stray.form).catch((thrown: Error) => thrown.message);
      const after = await victimState(victim);
      if (after !== before) wrong.push(`${door.name} changed ${changed(before, after)}`);
      before = after;
      if (/victim/i.test(JSON.stringify(answer) ?? ""))
        wrong.push(`${door.name} said ${JSON.stringify(answer)}`);
    }
    expect(wrong).toEqual([]);
    // A form that is refused for its fields proves nothing.
    expect(sound).toBeGreaterThan(doors.length * 0.8);
  });

  test("is noticed when an action checks the id alone", async () => {
    const victim = await makeVictim();
    const before = await victimState(victim);
    const schema = inApp.extend({ poolId: uuidField("poolId") });
    const made = dashboardAction("member", schema, async ({ db }, { poolId }) => {
      await db.orm.execute(`update pools set name = 'Mine' where id = '${poolId}'`);
    });
    const { form, sound } = strayForm(planted(KEYS, made), cast.tenant, victim);
    await visit({ session: cast.roles.owner });
    await made({}, form);
    expect([sound, (await victimState(victim)) !== before]).toEqual([true, true]);
  });
});

describe("a visitor of the demo", () => {
  beforeAll(() => renewDemo(database()));

  test("changes no row of the database by any action or file", async () => {
    const ids = { ...(await makeVictim()).ids, ...(await idsOf(DEMO_APP_ID, DEMO_WORKSPACE_ID)) };
    const doors = await findDoors();
    await flushRequests();
    const before = await stateOfAll();
    const wrong: string[] = [];
    for (const door of doors.filter(({ access }) => access?.in !== "anywhere")) {
      wrong.push(...(await demoBreaches(door, ids)));
    }
    expect(wrong).toEqual([]);
    expect(changed(before, await stateOfAll())).toEqual([]);
    // The other actions are open to everyone, signed in or not: to sign in, sign up and sign out.
    const open = doors.filter(({ access }) => access?.in === "anywhere").map(({ name }) => name);
    expect(open.filter((name) => !/^app\/\(auth\)\/|#signOutAction$/.test(name))).toEqual([]);
  });

  /** Sends the form of a single button; returns the page that follows. */
  const press = (button: (form: FormData) => Promise<void>): Promise<unknown> =>
    button(new FormData()).catch(({ digest }) => digest.split(";")[2]);

  test("enters and leaves without a trace, and a signed-in user keeps their own session", async () => {
    const before = await stateOfAll();
    const { cookies } = await visit({});
    expect(await press(enterDemoAction)).toBe(`/dashboard/apps/${DEMO_APP_ID}`);
    expect(await readSessionToken(cookies.get("metacode.session"))).toEqual(DEMO_SESSION);
    expect(await press(signOutAction)).toBe("/");
    expect(cookies.get("metacode.session")).toBe("");
    expect(changed(before, await stateOfAll())).toEqual([]);
    const member = await visit({ session: cast.roles.viewer });
    const own = member.cookies.get("metacode.session");
    expect(await press(enterDemoAction)).toBe("/dashboard");
    expect(member.cookies.get("metacode.session")).toBe(own);
    expect(await press(signOutAction)).toBe("/sign-in");
  });

  test("is let in 20 times an hour from an address", async () => {
    stopClock();
    for (let turn = 0; turn < 20; turn++) await visit({}).then(() => press(enterDemoAction));
    const { cookies } = await visit({});
    expect([await press(enterDemoAction), cookies.size]).toEqual(["/?demo=later", 0]);
  });

  test("is noticed when an action lets it change a row", async () => {
    const made = workspaceAction("viewer", inWorkspace, work);
    const open = guarded({ ...made.access } as const, async () => {
      await database().orm.execute(`update workspaces set name = 'Mine' where id = '${DEMO_WORKSPACE_ID}'`);
      return {};
    });
    const before = await stateOfAll();
    expect(await demoBreaches(planted(TEAM, open), {})).toEqual([
      expect.stringContaining("ran update workspaces"),
      expect.stringContaining('answered ""'),
    ]);
    expect(changed(before, await stateOfAll())).toHaveLength(1);
  });
});

/** The names of tables whose rows differ. */
const changed = (before: string, after: string) => after.split("\n").filter((line) => !before.includes(line));

const inApp = z.object({ appId: uuidField("appId") });
const inWorkspace = z.object({ workspaceId: uuidField("workspaceId") });
const work = async () => undefined;
const KEYS = "app/dashboard/apps/[appId]/keys/actions.ts";
const TEAM = "app/dashboard/workspaces/[workspaceId]/actions.ts";

function planted(path: string, made: object): Door {
  const [door] = doorsOf(path, { [path.endsWith("route.ts") ? "GET" : "plantedAction"]: made });
  if (!door) throw new Error("no door");
  return door;
}

describe("a planted action is noticed when it", () => {
  test("was made by no frame", async () => {
    const door = planted(KEYS, async () => undefined);
    expect(misdeclared(door)).toHaveLength(1);
    expect(await breaches(door, cast)).toHaveLength(1);
  });

  test.each([
    [KEYS, dashboardAction("member", inApp, work)],
    [TEAM, workspaceAction("viewer", inWorkspace, work)],
    ["app/dashboard/apps/[appId]/campaigns/actions.ts", dashboardAction("viewer", inApp, work)],
    ["app/dashboard/apps/[appId]/codes/batches/[batchId]/export/route.ts", appDownload("admin", vi.fn())],
    ["app/dashboard/actions.ts", userAction(inWorkspace, work)],
    ["app/(auth)/sign-in/actions.ts", formAction(inApp, work)],
  ])("requires too low a role, or none: %s", (path, made) => {
    expect(misdeclared(planted(path, made))).toHaveLength(1);
  });

  test("admits roles below the one that it declares", async () => {
    const made = dashboardAction("viewer", inApp, work);
    const low = planted(KEYS, guarded({ in: "app", role: "admin" }, made.bind(null)));
    const wrong = await breaches(low, cast);
    expect(wrong).toContain("a viewer: let in instead of role");
    expect(wrong).toContain("a member: let in instead of role");
    expect(wrong.some((what) => what.startsWith("a admin"))).toBe(false);
  });

  test("refuses roles that it should admit", async () => {
    const made = dashboardAction("owner", inApp, work);
    const high = planted(KEYS, guarded({ in: "app", role: "admin" }, made.bind(null)));
    expect(await breaches(high, cast)).toEqual(["a admin: role instead of let in"]);
  });

  test("admits every caller, from any page", async () => {
    const open = guarded({ in: "app", role: "admin" } as const, async () => ({ ok: {} }));
    const wrong = await breaches(planted(KEYS, open), cast);
    for (const caller of ["a foreign page", "a stranger", "a stale session", "another workspace's owner"]) {
      expect(wrong).toContainEqual(expect.stringMatching(`^${caller}: let in`));
    }
    expect(wrong).toContain("a removed member: let in instead of unknown");
  });

  test("reads before it refuses", async () => {
    const made = dashboardAction("admin", inApp, work);
    const curious = guarded(made.access, async (state: object, form: FormData) => {
      await cast.tenant.ctx.db.orm.execute('select * from "api_keys"');
      return made(state, form);
    });
    const wrong = await breaches(planted(KEYS, curious), cast);
    expect(wrong).toContain("a foreign page: queried the database");
    expect(wrong).toContain('a viewer: ran select * from "api_keys"');
  });

  test("is read-only, and changes rows", async () => {
    const made = dashboardQuery("owner", inApp, async ({ db, app }) => {
      await db.orm.execute(`update apps set name = 'Other' where id = '${app.id}'`);
    });
    expect(await breaches(planted(KEYS, made), cast)).toEqual([
      expect.stringMatching("^a owner: is to read, and ran update apps"),
    ]);
  });

  test("hides its outcome, and acts anyway", async () => {
    const browser = await import("next/headers");
    const hidesOutcome = guarded({ in: "anywhere", hidesOutcome: true } as const, async () => {
      (await browser.cookies()).set("metacode.session", "");
    });
    expect(await breaches(planted("app/dashboard/actions.ts", hidesOutcome), cast)).toEqual([
      "a foreign page: a cookie was set",
    ]);
  });

  test("is in another file", () => {
    const text = `"use server";\nexport const x = 1;`;
    expect(hiddenActions([{ path: "app/dashboard/more.ts", text }])).toEqual(["app/dashboard/more.ts"]);
    const inline = `const save = async () => {\n  "use server";\n};`;
    expect(hiddenActions([{ path: "components/x.tsx", text: inline }])).toEqual(["components/x.tsx"]);
  });
});
