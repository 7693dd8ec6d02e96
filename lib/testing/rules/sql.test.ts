import { describe, expect, test } from "vitest";
import { refusedByShards } from "./sharded-sql";
import { forbiddenSql, upwardSqlCalls } from "./sql";
import { projectFiles } from "./tree";

describe("SQL", () => {
  const files = projectFiles();

  test("needs no session, trigger or sequence and never locks more than it takes", () => {
    expect(files.filter(({ path }) => path.endsWith(".sql")).length).toBeGreaterThan(15);
    expect(forbiddenSql(files)).toEqual([]);
  });

  test.each([
    "delete from outbox where id in (select id from outbox limit 1 for update skip locked);",
    "listen changes;",
    "perform pg_notify('a', 'b');",
    "select pg_advisory_xact_lock(1);",
    "create trigger t after insert on codes execute function f();",
    "create sequence s;",
    "create table t (id bigserial);",
    "create function f() returns int language sql as $$ select 1 $$;",
    "set local lock_timeout = 5;",
    "perform set_config('synchronous_commit', 'off', true);",
    "alter table a add foreign key (b) references c (d);",
  ])("a planted one is found: %s", (text) => {
    expect(forbiddenSql([{ path: "lib/x/y.sql", text }])).toHaveLength(1);
  });
});

test("work that takes turns over the database has a lock of its own", () => {
  const numbers = projectFiles()
    .filter(({ path }) => /^lib\/.*\.ts$/.test(path))
    .flatMap(({ text }) => [...text.matchAll(/\bconst \w+_LOCK = ([\d_]+);/g)].map(([, number]) => number));
  expect(numbers.length).toBeGreaterThan(3);
  expect(numbers).toEqual([...new Set(numbers)]);
});

describe("SQL functions", () => {
  const declared = (path: string, name: string, body: string) => ({
    path,
    text: `create or replace function ${name}(p_app uuid) returns void language plpgsql as $$ begin ${body} end $$;`,
  });
  const lower = (body: string) => declared("lib/platform/x/low.sql", "low", body);
  const higher = (body: string) => declared("lib/program/x/take_high.sql", "take_high", body);

  test("call only functions of their own layer and of those below", () => {
    expect(upwardSqlCalls(projectFiles())).toEqual([]);
  });

  test.each([
    lower("perform take_high(p_app);"),
    lower("return (select take_high (p_app) || '{}' from apps);"),
    { path: "lib/tenants/x/y.ts", text: `const HIGH = sqlFunction("take_high", { app: "uuid" });` },
    lower('perform public."take_high"(p_app);'),
    lower("perform TAKE_HIGH(p_app);"),
    { path: "lib/tenants/x/y.ts", text: "await db.orm.execute(sql`select take_high('a')`);" },
    { path: "lib/tenants/x/y.ts", text: "await db.orm.execute(sql<Row>`select * from take_high (1)`);" },
    { path: "lib/tenants/x/y.ts", text: 'const HIGH = sqlFunction(\n  "take_high",\n  { app: "uuid" },\n);' },
  ])("a planted call that points up is found in $path: $text", (file) => {
    expect(upwardSqlCalls([file, higher("")])).toEqual([`${file.path} -> take_high`]);
  });

  test("a name of one word is found in a statement, and not among the functions of TypeScript", () => {
    const emit = declared("lib/program/x/emit.sql", "emit", "");
    const calling = (text: string) => upwardSqlCalls([{ path: "lib/tenants/x/y.ts", text }, emit]);
    expect(calling("await db.orm.execute(sql`select emit(1)`);")).toEqual(["lib/tenants/x/y.ts -> emit"]);
    expect(calling("emit(event); events.emit(sql`select 1`);")).toEqual([]);
  });

  test("calls that point down, and names in comments, pass", () => {
    expect(upwardSqlCalls([lower("-- As take_high(p_app) does it."), higher("perform low(p_app);")])).toEqual(
      [],
    );
  });
});

describe("SQL on a cluster that is sharded by app", () => {
  const files = projectFiles();
  /** The files with declarations, the only ones that the rules need beside a planted statement. */
  const declarations = files.filter(({ path }) => /\.sql$|^lib\/platform\/db\/schema\//.test(path));

  test("contains no statement that the cluster refuses", () => {
    expect(refusedByShards(files)).toEqual([]);
  });

  test.each([
    "insert into codes (app_id) values (p_app) on conflict (app_id, id) do update set app_id = excluded.app_id;",
    "update codes set status = '', app_id = p_app where id = p_id;",
    "update campaigns set activated_at = coalesce(activated_at, now()) where app_id = p_app;",
    "update provider_events set matched_by = case when p_hand then jsonb_build_object('hand', true) end where app_id = p_app;",
    "delete from codes where app_id = p_app and coalesce(expires_at < now(), true);",
    "update codes set id = new_id() where app_id = p_app and id = p_id;",
    "delete from codes where app_id = p_app and updated_at < clock_timestamp();",
    "perform may_turn(p_app, r, true) from referrals r where r.app_id = p_app;",
    "select settle(referrals) into v_result from referrals where app_id = p_app;",
    "perform emit(p_app, 'pool.exhausted', p.name) from pools p where p.app_id = p_app;",
    "if not repeats_offers(p_app, p_id) and exists (select from batches where app_id = p_app) then",
    "insert into codes (app_id) values (p_app) on conflict (app_id, id) do update set assigned_at = now();",
    "insert into codes as c (app_id) values (p_app) on conflict (app_id, id) do update set slot = 1 where c.assigned_at < now();",
    "update codes set assigned_at = now() + interval '1 day' * (codes.slot > 1)::int where app_id = p_app;",
    "update codes set reserved_until = reserved_until + p_margin where app_id = p_app;",
    "insert into codes (app_id) values (p_app) returning jsonb_build_object('id', id) into v_code;",
    "insert into codes (app_id) select p_app from unnest(p_ids) on conflict do nothing; continue when not found;",
    "update codes set slot = 1 where app_id = p_app and date_trunc('day', assigned_at) < p_day;",
    "insert into codes (app_id) select p_app from unnest(p_ids) on conflict do nothing; get diagnostics v_count = row_count;",
    'update codes set "app_id" = p_app where app_id = p_app;',
    "update campaigns set activated_at = coalesce(activated_at, current_timestamp) where app_id = p_app;",
    "select to_jsonb(r.*) into v_result from referrals r where r.app_id = p_app;",
    "perform pg_notify('codes', p_id::text);",
    "update referrals set reversed_at = now() where referee_uid = p_uid;",
    "select c.code into v_code from codes c join batches b on b.id = c.batch_id where c.app_id = p_app;",
    "select 1 from referrals o where o.app_id = p_app and exists (select 1 from codes c where o.app_id = p_app and c.id = o.id);",
    "insert into codes (app_id, slot) values (p_app, (select slot from batches where app_id = p_app)) returning id into v_id;",
    "select k.id into v_id from api_keys k join codes c on c.app_id = k.app_id where k.app_id = p_app;",
  ])("a planted one is found: %s", (text) => {
    expect(refusedByShards([...declarations, { path: "lib/x/y.sql", text }])).toHaveLength(1);
  });

  test.each([
    [
      "changes the partition key",
      "orm.insert(campaigns).values(row).onConflictDoUpdate({ target, set: { appId: app.id } });",
    ],
    [
      "changes the partition key",
      "orm.insert(campaigns).values(row).onConflictDoUpdate({ target, set: row });",
    ],
    [
      "changes the partition key",
      "orm.update(campaigns).set({ status: sql`lower(<s>)`, appId }).where(eq(campaigns.appId, id));",
    ],
    [
      "changes the partition key",
      "orm.execute(sql`update <codes> set app_id = <to> where app_id = <app.id>`);",
    ],
    [
      "changes the partition key",
      'pool.query("update codes set app_id = $1 where app_id = $2", [to, from]);',
    ],
    [
      "a changing function in CASE or COALESCE of an update",
      "orm.update(campaigns).set({ endsAt: sql`coalesce(<campaigns.endsAt>, now())` }).where(eq(campaigns.appId, id));",
    ],
    [
      "a changing function in CASE or COALESCE of an update",
      "orm.execute(sql`update codes set slot = case when slot = 1 then now() end from batches b where b.app_id = $1`);",
    ],
    [
      "a changing function where a conflict updates",
      "orm.insert(codes).values(row).onConflictDoUpdate({ target, set: { assignedAt: sql`now()` } });",
    ],
    [
      "a volatile function in an update",
      "orm.update(codes).set({ slot: sql`random()` }).where(eq(codes.appId, id));",
    ],
    [
      "a volatile function in an update",
      "orm.execute(sql`delete from codes where app_id = <id> and slot < random()`);",
    ],
    [
      "a time less an interval in an update",
      "orm.update(codes).set({ assignedAt: sql`<codes.assignedAt> - interval '1 day'` }).where(eq(codes.appId, id));",
    ],
    [
      "a function over tables in a statement over tables",
      "orm.select({ line: sql`count_in_line(<apps.id>)` }).from(apps).where(eq(apps.id, id));",
    ],
    [
      "a function over tables in a statement over tables",
      "orm.execute(sql`select l from apps a, count_in_line(a.id) l where a.id = <app.id>`);",
    ],
    [
      "a whole row as an argument",
      "orm.select({ x: sql`settle(<codes>)` }).from(codes).where(eq(codes.appId, id));",
    ],
    [
      "a whole row as an argument",
      "orm.execute(sql`select settle(c.*) from codes c where c.app_id = <id>`);",
    ],
    [
      "a condition on a window that finds an app by a column",
      "const open = sql`not exists (select 1 from <referrals> f where f.app_id = <codes.appId>)`;",
    ],
    [
      "a table of apps read for each row of the coordinator",
      "orm.execute(sql`select k.id, (select count(*) from codes c where c.app_id = k.app_id) from api_keys k where k.app_id = <app.id>`);",
    ],
    [
      "a query among the values of an insert",
      "orm.insert(codes).values({ slot: sql`exists (select 1 from batches where app_id = <id>)` }).onConflictDoNothing();",
    ],
    ["LISTEN or NOTIFY", "orm.execute(sql`select pg_notify('codes', <id>)`);"],
    ["LISTEN or NOTIFY", 'client.query("listen codes");'],
    [
      "rows of apps that are not found by their app",
      "orm.update(codes).set({ slot: 1 }).where(eq(codes.code, code));",
    ],
    [
      "rows of apps that are not found by their app",
      "orm.select().from(codes).where(eq(codes.code, code)).for('update');",
    ],
    ["rows of apps that are not found by their app", "orm.delete(batches);"],
    [
      "rows of apps that are not found by their app",
      "orm.execute(sql`select app_id from codes where code = <code>`);",
    ],
    [
      "a table of the coordinator joined with one of apps",
      "orm.execute(sql`delete from codes c using api_keys k where c.app_id = <id> and k.app_id = c.app_id`);",
    ],
  ])("a planted one in TypeScript is found, %s: %s", (rule, statement) => {
    const text = `await ${statement.replace(/<([\w.]+)>/g, (_, value) => `\${${value}}`)}`;
    const found = refusedByShards([...declarations, { path: "lib/tenants/x/y.ts", text }]);
    expect(found).toEqual([expect.stringMatching(`^${rule}: lib/tenants/x/y.ts: `)]);
  });

  test("a statement in TypeScript finds its rows by a condition of its own file or of another", () => {
    const ours = {
      path: "lib/tenants/x/y.ts",
      text: `import { ownCode } from "@/lib/program/x/z";
const own = (id: string) => eq(codes.appId, id);

export async function read(id: string) {
  const known = and(own(id), open);
  await orm.update(codes).set({ slot: 1 }).where(known);
  await orm.delete(codes).where(ownCode(id));
  await orm.delete(codes).where(unknown(id));
}
`,
    };
    const other = {
      path: "lib/program/x/z.ts",
      text: "export const ownCode = (id: string) => eq(codes.appId, id);\n\n",
    };
    expect(refusedByShards([...declarations, ours, other])).toEqual([
      expect.stringContaining("delete from codes where unknown"),
    ]);
  });

  test.each([
    "update codes set status = '' where app_id = p_app returning id, app_id into v_id;",
    "update campaigns set activated_at = now() where app_id = p_app;",
    "select count(r) into v_count from referrals r where r.app_id = p_app;",
    "update codes set slot = extract(epoch from (assigned_at - created_at)) where app_id = p_app;",
    "insert into outbox (app_id, id) select p_app, r.id from referrals r where r.app_id = p_app;",
  ])("an accepted one passes: %s", (text) => {
    expect(refusedByShards([...declarations, { path: "lib/x/y.sql", text }])).toEqual([]);
  });
});
