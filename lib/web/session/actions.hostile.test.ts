import { expect, test, vi } from "vitest";
import { z } from "zod";
import { makeTenantWith } from "@/lib/testing/matrix/cast";
import { type Door, findDoors } from "@/lib/testing/matrix/doors";
import { idsOf, strayForm } from "@/lib/testing/matrix/strays";
import { visit } from "@/lib/testing/matrix/visit";
import { useService } from "@/lib/testing/service";
import { dashboardAction, formAction } from "@/lib/web/session/action";

vi.mock("next/headers", () => import("@/lib/testing/matrix/visit"));
vi.mock("next/cache", () => ({ revalidatePath: () => undefined, revalidateTag: () => undefined }));

useService({ AUTH_SECRET: "m".repeat(32), APP_URL: "http://localhost:3000" });

/** Values that no field expects, and that a database or a calendar may choke on. */
const HOSTILE = [
  ...[
    "\0",
    "a\0b",
    "\ufffd",
    "\u202ex",
    "\ud83d",
    " ",
    "-1",
    "0",
    "1.5",
    "1e400",
    "1e21",
    "NaN",
    "-0",
    "0x10",
    "٣",
  ],
  ...[
    "2147483648",
    "9223372036854775808",
    "9".repeat(400),
    "x".repeat(70_000),
    "[]",
    "{}",
    "null",
    "__proto__",
  ],
  ...[
    "0000-00-00",
    "0000-01-01",
    "9999-12-31",
    "275760-09-14",
    "+275760-09-13T00:00:00Z",
    "2026-02-30",
    "-000001-01-01",
  ],
  ...[
    "00000000-0000-0000-0000-000000000000",
    "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    "%00",
    "'; drop table apps; --",
  ],
];

type Fields = Record<string, z.ZodType>;

/** The names of a schema's fields, and of those of its groups. */
function namesOf(shape: Fields, prefix = ""): string[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const inner = shapeOf(field);
    return inner ? namesOf(inner, `${prefix}${name}.`) : [`${prefix}${name}`];
  });
}

/** The fields of an object, however it is wrapped. */
function shapeOf(schema: unknown): Fields | undefined {
  const { shape, def } = schema as {
    shape?: Fields;
    def?: { innerType?: unknown; in?: unknown; left?: unknown };
  };
  if (shape) return shape;
  const inner = def?.innerType ?? def?.in ?? def?.left;
  return inner ? shapeOf(inner) : undefined;
}

/** The message of an action's response, or of what it throws. */
async function answerOf({ open }: Door, form: FormData): Promise<string> {
  try {
    const state = (await open({}, form)) as { error?: { message: string } } | undefined;
    return state?.error?.message ?? "";
  } catch (thrown) {
    const { digest } = thrown as { digest?: string };
    return digest?.startsWith("NEXT_") ? "" : `threw ${thrown}`;
  }
}

const BROKEN = /^threw |unexpected error|temporarily unavailable/;

/** Sends each field of a door in hostile ways, beside valid values in the others; returns the failures and the number sent. */
async function attack(door: Door, values: number) {
  const shape = shapeOf(door.access?.schema) ?? {};
  const names = namesOf(shape).filter((name) => name !== "appId" && name !== "workspaceId");
  const wrong: string[] = [];
  let own = await makeTenantWith("owner");
  let sent = 0;
  for (const [nth, name] of names.entries()) {
    const ids = await idsOf(own.tenant.ctx.app.id, own.tenant.ctx.workspace.id);
    const fields = [name, `${name}[]`, `${name}.x`];
    for (let count = 0; count < values; count++) {
      const value = HOSTILE[(nth * values + count) % HOSTILE.length] ?? "";
      const field = count < fields.length ? (fields[count] ?? name) : name;
      const { form } = strayForm(door, own.tenant, { ids });
      form.delete(name);
      form.append(field, value);
      if (count === fields.length) form.append(field, value);
      await visit({ session: own.member });
      const answer = await answerOf(door, form);
      sent += 1;
      if (BROKEN.test(answer))
        wrong.push(`${door.name} ${field} ${JSON.stringify(value.slice(0, 30))}: ${answer}`);
      // The accepted form may have deleted rows that the next forms name.
      if (answer === "") own = await makeTenantWith("owner");
    }
  }
  return { wrong, sent };
}

/** Number of hostile values that each field gets; all of them with `HOSTILE=all`. */
const VALUES = process.env.HOSTILE === "all" ? HOSTILE.length : 5;

test("no field of any action makes the service fail, whatever is sent in it", async () => {
  const doors = (await findDoors()).filter(({ method, access }) => !method && !access?.hidesOutcome);
  const results = [];
  for (const door of doors) results.push(await attack(door, VALUES));
  expect(results.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(results.reduce((all, { sent }) => all + sent, 0)).toBeGreaterThan(1_000);
}, 600_000);

test("an action that fails for a value is found", async () => {
  const schema = z.object({ appId: z.string(), day: z.string() });
  const made = dashboardAction("member", schema, async (_, { day }) => new Date(day).toISOString());
  const door = {
    name: "planted",
    path: "",
    method: undefined,
    access: made.access,
    open: made,
  } as unknown as Door;
  expect((await attack(door, HOSTILE.length)).wrong).toContainEqual(
    expect.stringContaining('day "0000-00-00": An unexpected error occurred'),
  );
});

test("a form that no page sends is refused to a visitor as a wrong input, before the action sees a field", async () => {
  const form = new FormData();
  form.append(`${"a.".repeat(499_999)}a`, "x");
  const work = vi.fn();
  await visit({});
  const { error } = await formAction(z.object({}), work)({}, form);
  expect(error?.message).toContain("more fields or longer names");
  expect(work).not.toHaveBeenCalled();
});
