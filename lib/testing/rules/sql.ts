import { declaredFunctions } from "@/lib/platform/db/functions";
import { heightOf } from "./imports";
import { isTool, type SourceFile } from "./tree";

/**
 * Forbidden in the SQL of the request path: a sharded cluster and a transaction-mode pooler have neither session state
 * nor triggers, sequences lead to one shard, and a subquery with SKIP LOCKED may lock more rows than its LIMIT.
 */
const FORBIDDEN: Record<string, RegExp> = {
  "IN (SELECT ... SKIP LOCKED)": /\bin\s*\(\s*select\b[^;]*\bskip\s+locked/i,
  "LISTEN or NOTIFY": /\b(listen|notify|pg_notify)\b/i,
  "advisory lock": /\bpg_(try_)?advisory/i,
  trigger: /\b(create|enable|disable)\s+(or\s+replace\s+)?(constraint\s+)?trigger\b|\breturns\s+trigger\b/i,
  sequence:
    /\bcreate\s+sequence\b|\b(big|small)?serial\b|\bnextval\s*\(|generated\s+(always|by default)\s+as\s+identity/i,
  "language sql": /\blanguage\s+'?sql\b/i,
  "session state":
    /\bset_config\s*\(|(^|;|\bbegin|\bthen)\s*set\s+((session|local)\s+)?\w+\s*(=|to)\s|\bcreate\s+temp/i,
  "foreign key": /\breferences\s+"?\w+"?\s*\(/i,
};

/** SQL without its comments of both kinds. */
export function withoutComments(text: string): string {
  return text.replace(/--.*$/gm, "").replace(/\/\*[\s\S]*?\*\//g, "");
}

/** A statement without its parentheses and their content. */
export function withoutNested(statement: string): string {
  const outer = statement.replace(/\([^()]*\)/g, " ");
  return outer === statement ? outer : withoutNested(outer);
}

/** Keywords that may follow a table in place of an alias. */
const NO_ALIAS =
  "where|set|on|using|order|group|limit|for|from|join|left|right|cross|inner|loop|returning|as|and|or|union|into|do";
const TABLE = `(\\w+)(?:\\s+(?:as\\s+)?(?!(?:${NO_ALIAS})\\b)(\\w+))?`;
const TABLES = new RegExp(
  `\\b(?:from|join|update|into|using)\\s+(?:only\\s+)?(${TABLE}(?:\\s*,\\s*${TABLE})*)`,
  "gi",
);

/** The tables that a statement reads or changes, once per mention, with their aliases. */
export function namedTables(statement: string): { table: string; alias: string | undefined }[] {
  return [...statement.matchAll(TABLES)]
    .flatMap(([, list = ""]) => list.split(","))
    .map((item) => new RegExp(TABLE, "i").exec(item) ?? [])
    .map(([, table = "", alias]) => ({ table, alias }));
}

/** A column's time plus or minus an interval, or now and an interval from a column. The time between two is immutable. */
export const MOVED_TIME =
  /_(?:at|until|since|from)\s*[-+](?!\s*(?:(?:\w+\.)?\w+_at\b|now\(\)))|\bnow\(\)\s*[-+](?:=>|(?!\b(?:and|or|where|from)\b)[^,<>=])*?\b(?![pv]_)[a-z]\w*\.[a-z]/i;

/** A function that depends on the time zone, of a column, also in conditions that the code writes in another place. */
export const OF_COLUMN =
  /\b(?:date_trunc|date_part|to_char|age)\s*\((?:[^()]*,)?\s*(?![pv]_)(?:\w+\.)?[a-z]\w*\s*[,)]/i;

/** Later migrations may run on tables that are already distributed. */
const DISTRIBUTED = "drizzle/0038";

/** The migrations that add a constraint beside another change in one statement: a cluster refuses it on a distributed table. */
export function crowdedConstraints(files: SourceFile[]): string[] {
  const crowded = (statement: string) =>
    /^\s*alter\s+table\b/i.test(statement) &&
    /\badd\s+(constraint|check|unique|primary)\b/i.test(statement) &&
    statement.includes(",");
  return files
    .filter(({ path }) => /^drizzle\/\d+.*\.sql$/.test(path) && path >= DISTRIBUTED)
    .filter(({ text }) => withoutNested(withoutComments(text)).split(";").some(crowded))
    .map(({ path }) => path);
}

/** Allowed in webhooks, whose leases and successes need not survive a crash. */
const NOT_AWAITED = "perform set_config('synchronous_commit', 'off', true);";
const WEBHOOKS = "lib/outward/webhooks/";

/** `rule: file` for every broken rule of `drizzle/*.sql` and `lib/**\/*.sql`. */
export function forbiddenSql(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^(drizzle|lib)\/.*\.sql$/.test(path))
    .flatMap(({ path, text }) =>
      Object.entries(FORBIDDEN)
        .filter(([, pattern]) =>
          pattern.test(withoutComments(text).replace(path.startsWith(WEBHOOKS) ? NOT_AWAITED : "", "")),
        )
        .map(([name]) => `${name}: ${path}`),
    );
}

/**
 * `file -> function` for every call of an SQL function that a higher layer declares: in the body of another function, as a
 * typed entry, or in a statement of TypeScript, where only SQL's names have underscores.
 */
export function upwardSqlCalls(files: SourceFile[]): string[] {
  const ours = files.filter(({ path }) => heightOf(path) >= 0 && !isTool(path));
  const functions = ours.filter(({ path }) => path.endsWith(".sql"));
  const heights = new Map(
    functions.flatMap(({ path, text }) => declaredFunctions(text).map((name) => [name, heightOf(path)])),
  );
  return ours.flatMap((file) =>
    [...calledFunctions(file)]
      .filter((name) => (heights.get(name) ?? -1) > heightOf(file.path))
      .map((name) => `${file.path} -> ${name}`),
  );
}

const CALL = /\b([a-z]\w*)"?\s*\(/gi;

function calledFunctions({ path, text }: SourceFile): Set<string> {
  const isSql = path.endsWith(".sql");
  const statements = isSql ? [withoutComments(text)] : text.match(/\bsql(<[^>`]*>)?`[^`]*`/g);
  const calls = (statements ?? []).flatMap((statement) => [...statement.matchAll(CALL)]);
  const entries = isSql ? [] : text.matchAll(/\bsqlFunction\(\s*["'](\w+)|\b([a-z]+(?:_[a-z]+)+)\(/g);
  return new Set([...calls, ...entries].map(([, first, second]) => (first ?? second ?? "").toLowerCase()));
}
