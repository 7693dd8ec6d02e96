import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type pg from "pg";
import { increase } from "@/lib/platform/counters";
import { noteFailure } from "@/lib/platform/db/outage";
import { traced } from "@/lib/platform/tracing";

/** Parameter types, named as PostgreSQL names them, and the values that JavaScript passes for them. */
interface SqlTypes {
  uuid: string;
  text: string;
  int: number;
  bigint: number;
  float8: number;
  boolean: boolean;
  /** `YYYY-MM-DD`. */
  date: string;
  timestamptz: Date;
  /** As PostgreSQL reads it: `24 hours`. */
  interval: string;
  bytea: Buffer;
}

/** A `jsonb` parameter that holds a `Value`. */
type Json<Value> = "jsonb" & { readonly value?: Value };

/** `uuid` is a value, `uuid?` may be null, `uuid[]` is a list, `uuid?[]` is a list that may hold nulls. */
type Scalar = keyof SqlTypes | `${keyof SqlTypes}?`;
type Parameter = Scalar | `${Scalar}[]` | Json<unknown>;

type ValueOf<Type> =
  Type extends Json<infer Value>
    ? Value
    : Type extends `${infer Item}[]`
      ? readonly ValueOf<Item>[]
      : Type extends `${infer Item}?`
        ? ValueOf<Item> | null
        : Type extends keyof SqlTypes
          ? SqlTypes[Type]
          : never;

type ArgumentsOf<Parameters> = { -readonly [Name in keyof Parameters]: ValueOf<Parameters[Name]> };

/** The typed entry of an SQL function: its name, parameters and result. */
export interface SqlFunction<Arguments, Result> {
  readonly name: string;
  /** Type of each parameter by its name without `p_`, in the order of the declaration. */
  readonly parameters: Readonly<Record<string, string>>;
  /**
   * `select name($1, ...) as result`: one call with every argument a parameter, which a sharded engine sends as a
   * whole to the shard of the first argument.
   */
  readonly text: string;
  readonly values: (args: Arguments) => unknown[];
  /** Exists for the type checker only. */
  readonly result?: Result;
}

/** Every declared entry, for the test that compares them with the database's catalogue. */
export const SQL_FUNCTIONS: SqlFunction<never, unknown>[] = [];

/** A `jsonb` parameter; `Value` may include null. */
export function jsonb<Value>(): Json<Value> {
  return "jsonb";
}

/**
 * Declares an SQL function beside the verb that calls it, as a constant of the same name in capitals. A test compares
 * every declaration with the database's catalogue: names, order and types of the parameters, and the kind of result.
 */
export function sqlFunction<const Parameters extends Readonly<Record<string, Parameter>>>(
  name: string,
  parameters: Parameters,
) {
  const names = Object.keys(parameters);
  const places = names.map((_, index) => `$${index + 1}`).join(", ");
  const values = (args: ArgumentsOf<Parameters>) =>
    names.map((parameter) => {
      const value = args[parameter];
      return parameters[parameter] === "jsonb" && value !== null ? JSON.stringify(value) : value;
    });
  const entry = { name, parameters, text: `select ${name}(${places}) as result`, values };
  SQL_FUNCTIONS.push(entry);
  return { returns: <Result>(): SqlFunction<ArgumentsOf<Parameters>, Result> => entry };
}

/**
 * A fixed statement that is called like a function and returns its rows as a list. One name stands for one text. Its values
 * are part of the text, so each connection plans it once: with parameters, PostgreSQL planned it for their values each time.
 */
export function statement<Row>(name: string, query: SQL): SqlFunction<null, Row[]> {
  const rows = sql`select coalesce(json_agg(row), '[]') as result from (${query}) row`;
  const { sql: text } = new PgDialect().sqlToQuery(rows.inlineParams());
  return { name, parameters: {}, text, values: () => [] };
}

const STATEMENT = { kind: "client", attributes: { "db.system.name": "postgresql" }, below: true } as const;

/** Calls functions on a pool or connection, as prepared statements if `sessions` says that connections last. */
export function callsOn(client: pg.Pool | pg.ClientBase, sessions: boolean) {
  return async <Arguments, Result>(fn: SqlFunction<Arguments, Result>, args: Arguments): Promise<Result> => {
    const { name, text } = fn;
    const values = fn.values(args);
    const started = performance.now();
    increase("statements", name);
    try {
      const { rows } = await traced(name, STATEMENT, () =>
        client.query<{ result: Result }>(sessions ? { name, text, values } : { text, values }),
      );
      return rows[0]?.result as Result;
    } catch (error) {
      increase("statement_failures", name);
      noteFailure(error);
      throw error;
    } finally {
      increase("statement_seconds", name, (performance.now() - started) / 1_000);
    }
  };
}
