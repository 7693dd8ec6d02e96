import type { Pool } from "pg";

/** A table as the catalogue describes it, in the notation of the schema. */
export interface CatalogTable {
  name: string;
  columns: string[];
  indexes: string[];
}

const COLUMNS = `
  select c.relname as name, json_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
           case when k.collname = 'C' then 'COLLATE "C"' end, case when a.attnotnull then 'not null' end,
           'default ' || pg_get_expr(d.adbin, d.adrelid)) order by a.attname) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join pg_collation k on k.oid = a.attcollation
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
   group by c.relname order by c.relname`;

/** `unique (a, b) where ...`; a primary key is `primary (...)`. */
const INDEXES = `
  select t.relname as name, json_agg(
           case when x.indisprimary then 'primary' when x.indisunique then 'unique' else 'index' end ||
           ' (' || (select string_agg(pg_get_indexdef(x.indexrelid, n, true), ', ' order by n)
                      from generate_series(1, x.indnkeyatts) n) || ')' ||
           case when x.indpred is null then '' else ' partial' end order by i.relname) as indexes
    from pg_index x
    join pg_class t on t.oid = x.indrelid
    join pg_class i on i.oid = x.indexrelid
   where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
   group by t.relname`;

/** Every table of the public schema: columns by name, indexes by columns. */
export async function readCatalog(pool: Pool): Promise<CatalogTable[]> {
  const columns = await pool.query<{ name: string; columns: string[] }>(COLUMNS);
  const indexes = await pool.query<{ name: string; indexes: string[] }>(INDEXES);
  const byName = new Map(indexes.rows.map((row) => [row.name, row.indexes]));
  return columns.rows.map((row) => ({ ...row, indexes: [...(byName.get(row.name) ?? [])].sort() }));
}
