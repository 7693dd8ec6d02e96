import { sql } from "drizzle-orm";
import type { z } from "zod";
import { insertRequest } from "@/lib/code-requests/ask";
import { createConnection } from "@/lib/connections/create";
import { database } from "@/lib/db/client";
import { createInvitation } from "@/lib/invitations/create";
import { readForm } from "@/lib/session/form";
import { clientOf } from "@/lib/testing/client";
import { refer, tell } from "@/lib/testing/confirm";
import { joinAs } from "@/lib/testing/office";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { createEndpoint } from "@/lib/webhooks/create";
import type { Door } from "./doors";

/** Where the id in a field of this name is from. */
const TABLES: [RegExp, string][] = [
  [/campaign|replacing/i, "campaigns"],
  [/pool/i, "pools"],
  [/batch/i, "batches"],
  [/key/i, "api_keys"],
  [/connection/i, "provider_connections"],
  [/endpoint|webhook/i, "webhook_endpoints"],
  [/referrer/i, "referrers"],
  [/referral|assignment/i, "referrals"],
  [/reward/i, "rewards"],
  [/event/i, "provider_events"],
  [/invitation/i, "invitations"],
  [/user/i, "memberships"],
  [/request/i, "code_requests"],
  [/code/i, "codes"],
];

const OF_WORKSPACES = ["invitations", "memberships"];

/** Texts of which one suits most fields. */
const WORDS = [
  "Stray",
  "on",
  "1",
  "2099-01-01",
  "a@example.com",
  "https://stray.metacode.dev/hook",
  "stray22",
  "#102030",
];

/** Somebody else's app with a row of every kind that a form may name. */
interface Victim {
  tenant: Tenant;
  /** An id by table. */
  ids: Record<string, string>;
}

/** A tenant with one of everything, for others to reach for. */
export async function makeVictim(): Promise<Victim> {
  const tenant = await makeTenant({ threshold: 1 });
  const { ctx, key } = tenant;
  await refer(tenant, (await clientOf(key).referrer("victim")).body.metacode, 2);
  await tell(ctx, "nobody");
  await createConnection(ctx, { provider: "generic" });
  await insertRequest(ctx, {
    ...{ poolId: tenant.pools.ios.referee, origin: "person", amount: 10, expiresOn: "2099-01-01" },
    ...{ offerType: "subscription", offerId: "victim", offerName: "Victim" },
  });
  await createEndpoint(ctx, {
    url: "https://victim.metacode.dev/hook",
    description: "",
    events: ["pool.low"],
  });
  await createInvitation(await joinAs(ctx.workspace.id, "owner", "Victim"), { role: "viewer" });
  const ids: Record<string, string> = {};
  for (const [, table] of TABLES) {
    const id = table === "memberships" ? sql`user_id as id` : sql`id`;
    const own = OF_WORKSPACES.includes(table)
      ? sql`workspace_id = ${ctx.workspace.id}`
      : sql`app_id = ${ctx.app.id}`;
    const found = await database().orm.execute<{ id: string }>(
      sql`select ${id} from ${sql.identifier(table)} where ${own} limit 1`,
    );
    if (!found.rows[0]) throw new Error(`the victim has nothing in ${table}`);
    ids[table] = found.rows[0].id;
  }
  return { tenant, ids };
}

/** Written a moment after the victim's own requests, by nobody's action. */
const BESIDE_REQUESTS = ["api_key_uses", "key_usage_days", "request_log"];

/** Everything that the victim has, as one text: equal before and after means that nothing was changed. */
export async function stateOf({ tenant: { ctx } }: Victim): Promise<string> {
  const { rows } = await database().orm.execute<{ table: string; column: string }>(
    sql`select table_name as table, column_name as column from information_schema.columns
         where table_schema = 'public' and column_name in ('app_id', 'workspace_id') order by 1, 2`,
  );
  const owner: Record<string, string> = { app_id: ctx.app.id, workspace_id: ctx.workspace.id };
  const lasting = rows.filter(({ table }) => !BESIDE_REQUESTS.includes(table));
  const states = lasting.map(async ({ table, column }) => {
    const found = await database().orm.execute<{ hash: string | null }>(
      sql`select md5(string_agg(t::text, ',' order by t::text)) as hash from ${sql.identifier(table)} t
           where ${sql.identifier(column)} = ${owner[column]}`,
    );
    return `${table}.${column} ${found.rows[0]?.hash}`;
  });
  return (await Promise.all(states)).join("\n");
}

/** A form for a door that names the own app and workspace, and otherwise whatever the victim has. */
export function strayForm({ needs }: Door, own: Tenant, { ids }: Victim): { form: FormData; sound: boolean } {
  const form = new FormData();
  const schema = needs?.schema as z.ZodObject | undefined;
  for (const [name, field] of Object.entries(schema?.shape ?? {})) {
    const table = TABLES.find(([pattern]) => pattern.test(name))?.[1];
    const known = { appId: own.ctx.app.id, workspaceId: own.ctx.workspace.id }[name];
    const choices =
      (field as { options?: unknown[] }).options?.filter((one) => typeof one === "string") ?? [];
    const words = [known ?? ids[table ?? ""] ?? [], choices, WORDS].flat() as string[];
    const fits = (value: unknown) => parses(field as z.ZodType, value);
    const word = words.find(fits);
    const listed = words.find((one) => fits([one]));
    if (word !== undefined) form.set(name, word);
    else if (listed !== undefined) form.set(`${name}[]`, listed);
  }
  return { form, sound: schema !== undefined && parses(schema, readForm(form)) };
}

/** Some fields throw where they refuse. */
function parses(schema: z.ZodType, value: unknown): boolean {
  try {
    return schema.safeParse(value).success;
  } catch {
    return false;
  }
}
