import { is, SQL } from "drizzle-orm";
import { getTableConfig, PgDialect, PgTable } from "drizzle-orm/pg-core";
import * as schema from "@/lib/platform/db/schema";
import type { CatalogTable } from "@/lib/testing/database/catalog";

const dialect = new PgDialect();

type Config = ReturnType<typeof getTableConfig>;
type Column = Config["columns"][number];

/** A column's default as the catalogue prints it: `'text'::text`, `now()`, `0`. */
function defaultOf(column: Column): string {
  if (column.default === undefined) return "";
  if (is(column.default, SQL)) return ` default ${dialect.sqlToQuery(column.default).sql}`;
  const value = typeof column.default === "string" ? `'${column.default}'::text` : String(column.default);
  return ` default ${value}`;
}

function columnOf(column: Column): string {
  return `${column.name} ${column.getSQLType()}${column.notNull ? " not null" : ""}${defaultOf(column)}`;
}

/** A column's name or an expression's text; the catalogue shows collations separately. */
function nameOf(part: unknown): string {
  if (is(part, SQL)) return dialect.sqlToQuery(part).sql.replace(/ COLLATE .*$/, "");
  return (part as { name: string }).name;
}

function indexesOf({ columns, primaryKeys, uniqueConstraints, indexes }: Config): string[] {
  const names = (list: readonly unknown[]) => list.map(nameOf).join(", ");
  return [
    ...columns.filter((column) => column.primary).map((column) => `primary (${column.name})`),
    ...primaryKeys.map((key) => `primary (${names(key.columns)})`),
    ...uniqueConstraints.map((constraint) => `unique (${names(constraint.columns)})`),
    ...columns.filter((column) => column.isUnique).map((column) => `unique (${column.name})`),
    ...indexes.map(
      ({ config }) =>
        `${config.unique ? "unique" : "index"} (${names(config.columns)})${config.where ? " partial" : ""}`,
    ),
  ].sort();
}

/** The tables as the code declares them, in the catalogue's notation. */
export function declaredTables(): CatalogTable[] {
  return Object.values(schema)
    .filter((table) => is(table, PgTable))
    .map((table) => getTableConfig(table))
    .map((config) => ({
      name: config.name,
      columns: config.columns.map(columnOf).sort(),
      indexes: indexesOf(config),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
