import { describe, expect, test } from "vitest";
import { forbiddenSql } from "./sql";
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
    "perform set_config('app.id', '1', true);",
    "alter table a add foreign key (b) references c (d);",
  ])("a planted one is found: %s", (text) => {
    expect(forbiddenSql([{ path: "lib/x/y.sql", text }])).toHaveLength(1);
  });
});
