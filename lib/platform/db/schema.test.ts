import { afterEach, describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { type CatalogTable, readCatalog } from "@/lib/testing/database/catalog";
import { declaredTables } from "@/lib/testing/database/declared";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

/** Sorted the same way on both sides, because the database sorts names by its locale. */
const sorted = (tables: CatalogTable[]) =>
  tables
    .map((table) => ({ ...table, columns: [...table.columns].sort() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

describe("the migrated database", () => {
  test("is what the schema declares: columns, types, defaults, keys and indexes", async () => {
    const tables = sorted(await readCatalog(database().pool));
    expect(tables.length).toBeGreaterThan(20);
    expect(tables).toEqual(sorted(declaredTables()));
  });

  describe("drift is seen", () => {
    const undo: string[] = [];
    afterEach(async () => {
      for (const statement of undo.splice(0)) await database().pool.query(statement);
    });

    test.each([
      ["alter table codes add column spare text", "alter table codes drop column spare"],
      ["alter table apps alter column name drop not null", "alter table apps alter column name set not null"],
      [
        "alter table pools alter column low_stock set default 51",
        "alter table pools alter column low_stock set default 50",
      ],
      [
        `alter table referrers alter column uid type text collate "default"`,
        `alter table referrers alter column uid type text collate "C"`,
      ],
      ["create unique index extra on rewards (app_id, status)", "drop index extra"],
    ])("%s", async (change, back) => {
      undo.push(back);
      await database().pool.query(change);
      expect(sorted(await readCatalog(database().pool))).not.toEqual(sorted(declaredTables()));
    });
  });
});

/** Tables that are read before the app is known, or that belong to a workspace or to no tenant. */
const NOT_A_TENANTS: Record<string, string> = {
  apps: "its id is the app id",
  api_keys: "found by the hash of a key, which names the app",
  provider_connections: "found by the id in the address, which names the app",
  landing_domains: "hosts are unique over all apps",
  slug_directory: "metacodes are unique over all apps",
  users: "of all workspaces",
  workspaces: "own apps",
  memberships: "of a workspace",
  invitations: "into a workspace",
  audit_log: "stored per workspace",
  sessions: "of a user, found by its id",
  recovery_codes: "of a user",
  account_tokens: "found by the hash of a link",
  account_events: "of a user",
  user_identities: "of a user",
  mails: "to users",
  quota_usage: "counted per workspace",
  visitor_salts: "one per day for all apps",
};

/** Indexes by which processes find due work over all apps. None is unique, so each shard can keep its own part. */
const OF_QUEUES = [
  "webhook_deliveries: index (wake_at) partial",
  "alert_posts: index (due_at)",
  "code_requests: index (due_at) partial",
  "rounds: index (due_at) partial",
  "rounds: index (failing_since) partial",
  "outbox: index (created_at)",
  "provider_events: index (verdict, created_at) partial",
  "webhook_endpoints: index (warned_at) partial",
  "webhook_endpoints: index (busy_since) partial",
  "key_refusals: index (last_at)",
  "refill_rules: index (stopped_at) partial",
  "rewards: index (waits_since) partial",
  "referees_in_line: index (reserved_until) partial",
  "referees_in_line: index (created_at)",
  "campaigns: index (ends_at) partial",
  "referrals: index (counts_from, app_id) partial",
];

/** Indexes over the items of a list, which cannot begin with another column: other apps' rows are filtered afterwards. */
const OF_LISTS = ["provider_events: index (uids)"];

/** Every key of a tenant's table that does not begin with the app. */
function looseKeys(tables: CatalogTable[]): string[] {
  return tables
    .filter(({ name }) => !(name in NOT_A_TENANTS))
    .flatMap(({ name, columns, indexes }) => {
      const keys = [...indexes.filter((index) => !index.startsWith("primary")), ...primary(indexes)];
      const loose = keys
        .filter((key) => !/\(app_id\b/.test(key))
        .map((key) => `${name}: ${key}`)
        .filter((key) => ![...OF_QUEUES, ...OF_LISTS].includes(key));
      return columns.includes("app_id uuid not null") ? loose : [...loose, `${name} has no app_id`];
    });
}

function primary(indexes: string[]): string[] {
  const keys = indexes.filter((index) => index.startsWith("primary"));
  return keys.length === 1 ? keys : ["no primary key"];
}

describe("every tenant's table", () => {
  test("is led by app_id in its primary key and in every index", async () => {
    const tables = await readCatalog(database().pool);
    expect(tables.filter(({ name }) => !(name in NOT_A_TENANTS)).length).toBeGreaterThan(12);
    expect(looseKeys(tables)).toEqual([]);
    const names = new Set(tables.map(({ name }) => name));
    expect(Object.keys(NOT_A_TENANTS).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each([
    [["app_id uuid not null"], ["primary (id)"]],
    [["app_id uuid not null"], ["primary (app_id, id)", "unique (code)"]],
    [["app_id uuid not null"], ["primary (app_id, id)", "index (created_at)"]],
    [["app_id uuid not null"], []],
    [["id uuid not null"], ["primary (app_id, id)"]],
  ])("a planted loose key is found: %j %j", (columns, indexes) => {
    expect(looseKeys([{ name: "planted", columns, indexes }])).toHaveLength(1);
  });
});

/** Tables that requests write: every statement that writes to one reads its rules again. */
const CHECKED = ["campaigns", "codes", "referrals", "referrer_progress", "referrers", "rewards"];

test("hot tables have few rules, and no list of texts among them", async () => {
  const { rows } = await database().pool.query<{ name: string; rule: string }>(
    `select conrelid::regclass::text as name, pg_get_constraintdef(oid) as rule from pg_constraint
      where contype = 'c' and conrelid::regclass::text = any($1)`,
    [CHECKED],
  );
  const counts = CHECKED.map((table) => rows.filter(({ name }) => name === table).length);
  expect(counts).toEqual([3, 1, 1, 1, 1, 1]);
  // The states of a code in which it has no owner.
  const lists = rows.filter(({ name, rule }) => name !== "codes" && /ANY \(ARRAY/.test(rule));
  expect(lists).toEqual([]);
});

test.each([
  ["referrer_progress", "confirmed", -1],
  ["referrer_progress", "held", -1],
  ["referrer_progress", "claimed", -1],
  ["referrer_progress", "withdrawn", -1],
  ["referrer_progress", "claimed", 2],
  ["campaigns", "hold_days", -1],
  ["campaigns", "spent_codes", -1],
  ["campaigns", "spent_rewards", -1],
  ["campaigns", "code_budget", 0],
  ["campaigns", "reward_budget", 0],
])("%s: %s is never %i", async (table, column, value) => {
  const { ctx, campaignId } = await makeTenant();
  const { app } = ctx;
  await database().pool.query(
    `insert into referrer_progress (app_id, referrer_id, campaign_id, platform, earned) values ($1, $1, $2, 'ios', 1)`,
    [app.id, campaignId],
  );
  const change = `update ${table} set ${column} = $2 where app_id = $1`;
  await expect(database().pool.query(change, [app.id, value])).rejects.toThrow(`${table}_counts`);
  await database().pool.query(change, [app.id, 1]);
});
