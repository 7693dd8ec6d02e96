import { sql } from "drizzle-orm";
import type { z } from "zod";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { database } from "@/lib/platform/db/client";
import { insertCodeRequest } from "@/lib/program/code-requests/create";
import { createConnection } from "@/lib/program/connections/create";
import { createInvitation } from "@/lib/tenants/invitations/create";
import { clientOf } from "@/lib/testing/client";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { joinAs } from "@/lib/testing/workspace";
import { readForm } from "@/lib/web/session/form";
import type { Door } from "./doors";

/** The table of the ids in a field, by the field's name. */
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

/** Values, one of which is valid for almost every field. */
const SAMPLE_VALUES = [
  "Stray",
  "on",
  "1",
  "2099-01-01",
  "a@example.com",
  "https://stray.metacode.dev/hook",
  "stray22",
  "#102030",
];

/** Another tenant's app with a row of every table that a form can name. */
interface Victim {
  tenant: Tenant;
  /** An id by table. */
  ids: Record<string, string>;
}

/** Creates a tenant with a row of every kind. */
export async function makeVictim(): Promise<Victim> {
  const tenant = await makeTenant({ threshold: 1 });
  const { ctx, key } = tenant;
  await refer(tenant, (await clientOf(key).referrer("victim")).body.metacode, 2);
  await applyEvent(ctx, "unknown");
  await createConnection(ctx, { provider: "generic" });
  await insertCodeRequest(ctx, {
    poolId: tenant.pools.ios.referee,
    origin: "person",
    amount: 10,
    expiresOn: "2099-01-01",
    offerType: "subscription",
    offerId: "victim",
    offerName: "Victim",
  });
  await createEndpoint(ctx, {
    url: "https://victim.metacode.dev/hook",
    description: "",
    events: ["pool.low"],
  });
  await createInvitation(await joinAs(ctx.workspace.id, "owner", "Victim"), { role: "viewer" });
  const ids = await idsOf(ctx.app.id, ctx.workspace.id);
  for (const [, table] of TABLES) if (!ids[table]) throw new Error(`the victim has nothing in ${table}`);
  return { tenant, ids };
}

/** The id of one row of the app, where it has any, in every table that a form can name. */
export async function idsOf(appId: string, workspaceId: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const [, table] of TABLES) {
    const id = table === "memberships" ? sql`user_id as id` : sql`id`;
    const own = OF_WORKSPACES.includes(table) ? sql`workspace_id = ${workspaceId}` : sql`app_id = ${appId}`;
    const found = await database().orm.execute<{ id: string }>(
      sql`select ${id} from ${sql.identifier(table)} where ${own} limit 1`,
    );
    if (found.rows[0]) ids[table] = found.rows[0].id;
  }
  return ids;
}

/** Tables that are written shortly after the victim's own requests, not by an action. */
const LATE_TABLES = ["api_key_uses", "key_usage_days", "request_log", "request_subjects"];

/** All data of the victim as one text: equal before and after means that nothing was changed. */
export async function victimState({ tenant: { ctx } }: Victim): Promise<string> {
  const { rows } = await database().orm.execute<{ table: string; column: string }>(
    sql`select table_name as table, column_name as column from information_schema.columns
         where table_schema = 'public' and column_name in ('app_id', 'workspace_id') order by 1, 2`,
  );
  const owner: Record<string, string> = { app_id: ctx.app.id, workspace_id: ctx.workspace.id };
  const lasting = rows.filter(({ table }) => !LATE_TABLES.includes(table));
  const states = lasting.map(async ({ table, column }) => {
    const found = await database().orm.execute<{ hash: string | null }>(
      sql`select md5(string_agg(t::text, ',' order by t::text)) as hash from ${sql.identifier(table)} t
           where ${sql.identifier(column)} = ${owner[column]}`,
    );
    return `${table}.${column} ${found.rows[0]?.hash}`;
  });
  return (await Promise.all(states)).join("\n");
}

/** A form for a door with the sender's own app and workspace, and the ids of the victim in every other field. */
export function strayForm(
  { access }: Door,
  own: Pick<Tenant, "ctx">,
  { ids }: Pick<Victim, "ids">,
): { form: FormData; sound: boolean } {
  const form = new FormData();
  const schema = access?.schema as z.ZodObject | undefined;
  for (const [name, field] of Object.entries(schema?.shape ?? {})) {
    const table = TABLES.find(([pattern]) => pattern.test(name))?.[1];
    const known = { appId: own.ctx.app.id, workspaceId: own.ctx.workspace.id }[name];
    const choices =
      (field as { options?: unknown[] }).options?.filter((option) => typeof option === "string") ?? [];
    const values = [known ?? ids[table ?? ""] ?? [], choices, SAMPLE_VALUES].flat() as string[];
    const fits = (value: unknown) => parses(field as z.ZodType, value);
    const valid = values.find(fits);
    const listed = values.find((value) => fits([value]));
    if (valid !== undefined) form.set(name, valid);
    else if (listed !== undefined) form.set(`${name}[]`, listed);
  }
  return { form, sound: schema !== undefined && parses(schema, readForm(form)) };
}

/** Whether the schema accepts a value. Some fields throw instead of refusing. */
function parses(schema: z.ZodType, value: unknown): boolean {
  try {
    return schema.safeParse(value).success;
  } catch {
    return false;
  }
}
