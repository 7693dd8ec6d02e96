import { placedTables, REACHED } from "@/lib/platform/db/distribute";
import { namesOf, SUBQUERY, statementsInCode } from "./built-sql";
import { MOVED_TIME, namedTables, OF_COLUMN, withoutComments, withoutNested } from "./sql";
import { isTool, type SourceFile } from "./tree";

/** Functions that PostgreSQL does not declare immutable, and the concatenation of a text with an id, which is not immutable. */
const CHANGING =
  /\b(?:now|clock_timestamp|statement_timestamp|random|gen_random_uuid|new_id|jsonb?_build_\w+|to_jsonb?|to_char|concat(?:_ws)?|format|date_trunc|age|array_to_\w+|quote_\w+)\s*\(|\b(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b|\|\|\s*(?:\w+\.)?(?:\w+_)?id\b(?!::)/i;

/** An expression that a cluster accepts only with immutable functions in it. */
const CONDITIONAL = /\bcoalesce\s*\(([^()]|\((?:[^()]|\([^()]*\))*\))*\)|\bcase\b[\s\S]*?\bend\b/gi;

const tablesOf = (ofApps: boolean): ReadonlySet<string> =>
  new Set(placedTables().flatMap(({ name, column }) => ((column !== null) === ofApps ? [name] : [])));

/** Tables on the coordinator alone, whose statements run as on a single server. */
const COORDINATOR_TABLES = tablesOf(false);
const UNREACHED_TABLES = new Set([...COORDINATOR_TABLES].filter((name) => !REACHED.includes(name)));
const APP_TABLES = tablesOf(true);

const CHANGES =
  /\b(?:update\s+(?:only\s+)?\w+(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b|do\s+update\s+set\b|delete\s+from\b)[\s\S]*/i;

/** Names of the project that the rules look for. */
interface Known {
  tables: ReadonlySet<string>;
  /** Functions that are not declared immutable. */
  volatile: ReadonlySet<string>;
  /** Functions whose statements, or those of functions that they call, name a table. */
  reading: ReadonlySet<string>;
}

function knownOf(files: SourceFile[]): Known {
  const names = (pattern: RegExp) =>
    files
      .filter(({ path }) => path.endsWith(".sql"))
      .flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
  const tables = new Set(names(/\bCREATE TABLE "(\w+)"/g));
  return {
    tables,
    reading: readingFunctions(files, tables),
    volatile: new Set([
      ...["clock_timestamp", "random", "gen_random_uuid"],
      ...names(/\bcreate or replace function (\w+)\s*\((?:(?!\bas \$\$)(?!\bimmutable\b)[\s\S])*\bas \$\$/g),
    ]),
  };
}

function readingFunctions(files: SourceFile[], tables: ReadonlySet<string>): Set<string> {
  const bodies = new Map(
    files
      .filter(({ path }) => path.endsWith(".sql"))
      .flatMap(({ text }) => [
        ...withoutComments(text).matchAll(/\bcreate or replace function (\w+)\s*\(([\s\S]*?)\nend \$\$/g),
      ])
      .map(([, name = "", body = ""]) => [name, body]),
  );
  const reading = new Set([...bodies].filter(([, body]) => namesTable(body, tables)).map(([name]) => name));
  for (let size = 0; size < reading.size; ) {
    size = reading.size;
    for (const [name, body] of bodies) if (callsOneOf(body, reading)) reading.add(name);
  }
  return reading;
}

function namesTable(text: string, tables: ReadonlySet<string>): boolean {
  const named = text.matchAll(/\b(?:from|join|into|update|using)\s+(?:only\s+)?(\w+)/gi);
  return [...named].some(([, name = ""]) => tables.has(name));
}

function callsOneOf(text: string, functions: ReadonlySet<string>): boolean {
  return [...text.matchAll(/\b(\w+)\s*\(/g)].some(([, name = ""]) => functions.has(name));
}

/** `rule: file: statement` for every statement of `lib` that a cluster sharded by app (Citus) refuses. */
export function refusedByShards(files: SourceFile[]): string[] {
  return [...refusedInFunctions(files), ...refusedInCode(files)];
}

function refusedInFunctions(files: SourceFile[]): string[] {
  const known = knownOf(files);
  return files
    .filter(({ path }) => /^lib\/.*\.sql$/.test(path))
    .flatMap(({ path, text }) =>
      statementsOf(text.replaceAll('"', ""))
        .flatMap((statement) => brokenRules(path, statement, known).concat(namesAppsLess(path, statement)))
        .concat(countedInserts(text).map((statement) => `${ROW_COUNT}: ${path}: ${statement}`)),
    );
}

function brokenRules(path: string, statement: string, known: Known, conditions = ""): string[] {
  return Object.entries(RULES)
    .filter(([, isBroken]) => isBroken(statement, known, conditions))
    .map(([name]) => report(name, path, statement));
}

function report(rule: string, path: string, statement: string): string {
  return `${rule}: ${path}: ${statement.replace(/\s+/g, " ").slice(0, 120)}`;
}

/** Inserts whose row count is read, which on a cluster includes the rows that conflict. */
const ROW_COUNT = "the row count of INSERT ... SELECT with conflicts";

function countedInserts(text: string): string[] {
  const counted =
    /\binsert into(?![^;]*\breturning\b)[^;]*\bselect\b[^;]*\bon conflict\b[^;]*;\s*(?:get diagnostics|(?:if|exit when|continue when|return)[^;]*\bfound\b)/gi;
  return [...withoutComments(text).matchAll(counted)].map(([both]) => both.slice(0, 60));
}

/** In a function, each table of apps needs its own condition on `app_id`: one condition cannot serve two tables. */
function namesAppsLess(path: string, statement: string): string[] {
  const named = namedAppTables(statement);
  for (const [, alias = ""] of statement.matchAll(NAMES_APP)) {
    const at = named.findIndex((names) => names.includes(alias));
    if (at >= 0) named.splice(at, 1);
  }
  return named.length > 0 && !/^create\b/i.test(statement) ? [report(NO_APP, path, statement)] : [];
}

/** A condition on the app of a table, or the app as the selected column of each row. */
const NAMES_APP = /(?:\b(\w+)\.)?\b(?:app_id\s*=|id\s*=\s*[pv]_app\b|(?<=\bselect\s+\w+\.)app_id\b)/gi;

/** The same check for statements that TypeScript writes out or builds, as far as their text shows it. Tests run on a cluster too. */
function refusedInCode(files: SourceFile[]): string[] {
  const known = knownOf(files);
  const names = namesOf(files);
  return files
    .filter(({ path }) => /^lib\/(?!testing\/rules\/).*\.ts$/.test(path))
    .flatMap((file) =>
      statementsInCode(file, names)
        .filter(({ text }) => !isOfCoordinator(text))
        .flatMap(({ text, conditions }) => [
          ...brokenRules(file.path, text, known, conditions),
          ...(!isTool(file.path) && lacksApp(text, conditions) && !OVER_ALL_APPS.includes(file.path)
            ? [report(NO_APP, file.path, text)]
            : []),
        ]),
    );
}

const NO_APP = "rows of apps that are not found by their app";

/** Rounds of the installation, which look for due rows of all apps, and parts of an erasure, to which `walkRows` adds the app. */
const OVER_ALL_APPS = [
  "lib/program/end-users/scrub.ts",
  "lib/outward/rounds/clock.ts",
  "lib/outward/rounds/mark-apps.ts",
  "lib/program/campaigns/granting.ts",
  "lib/program/codes/abandon-import.ts",
  "lib/program/retention/purge-apps.ts",
  "lib/program/rewards/holds.ts",
];

/** Whether the conditions of a statement in TypeScript, which may be written in another place, name no app. */
function lacksApp(statement: string, conditions: string): boolean {
  if (!/^(select|update|delete|with)\b/i.test(statement) || !namesTable(statement, APP_TABLES)) return false;
  return (
    !/\bapp_?id\b|\bapp\.id\b/i.test(conditions) &&
    !(/\b(from|update) apps\b/i.test(statement) && /\bid\b/.test(conditions))
  );
}

function isOfCoordinator(statement: string): boolean {
  return namesTable(statement, COORDINATOR_TABLES) && !namesTable(statement, APP_TABLES);
}

function statementsOf(text: string): string[] {
  return withoutComments(text)
    .replace(/'[^']*'/g, "''")
    .replace(/(?<!\bend\s+)\b(?:els)?if\b[\s\S]*?\bthen\b/gi, (condition) => `;${condition};`)
    .split(/;|\b(?:loop|begin|declare)\b/i)
    .map((statement) => statement.trim());
}

/** The names that may qualify `app_id` for each table of apps in a statement, except where it inserts by app. */
function namedAppTables(statement: string): string[][] {
  const read = statement.replace(/\binsert into \w+(\s+as\s+\w+)?\s*\(\s*app_id\b/gi, "");
  return namedTables(read)
    .filter(({ table }) => APP_TABLES.has(table))
    .map(({ table, alias }) => (alias ? [alias] : ["", table]));
}

const VALUES = /\binsert\s+into\b[^;]*?\bvalues\b([\s\S]*?)(?=\b(?:returning|on\s+conflict)\b|$)/i;

type Rule = (statement: string, known: Known, conditions: string) => boolean;

const RULES: Record<string, Rule> = {
  "LISTEN or NOTIFY": (statement) => /\bpg_notify\s*\(|^(listen|notify)\s+\w+/i.test(statement),
  "changes the partition key": (statement) => {
    const [, set = ""] = /\bset\b([\s\S]*?)(?=\b(where|returning|from)\b|$)/i.exec(changeIn(statement)) ?? [];
    return (
      /(^|,)\s*\(?\s*app_id\s*(=|,)/i.test(set) || /^update\s+apps\b[\s\S]*\bset\s+id\s*=/i.test(statement)
    );
  },
  "a changing function in CASE or COALESCE of an update": (statement) =>
    [...changeIn(statement).matchAll(CONDITIONAL)].some(([expression]) => CHANGING.test(expression)),
  "a volatile function in an update": (statement, { volatile }) => {
    const change = changeIn(statement);
    return [...change.matchAll(/\b(\w+)\s*\(/g)].some(([, name = ""]) => volatile.has(name.toLowerCase()));
  },
  "a changing function where a conflict updates": (statement) =>
    CHANGING.test(changeIn(statement, /\bdo\s+update\s+set\b[\s\S]*?(?=\breturning\b|$)/i)),
  "a changing function of a column in an update": (statement, _, conditions) =>
    OF_COLUMN.test(changeIn(`${statement} ${conditions}`)),
  "a time less an interval in an update": (statement) =>
    MOVED_TIME.test(changeIn(statement).replace(/\bselect\b[\s\S]*/i, "")),
  "a query among the values of an insert": (statement) =>
    namesTable(statement, APP_TABLES) && SUBQUERY.test(VALUES.exec(statement)?.[1] ?? ""),
  "a changing function in RETURNING": (statement) =>
    /\breturning\s[\w.,\s]*\b(jsonb?_build_\w+|to_jsonb?|now|new_id)\s*\(/i.test(statement),
  "a table of the coordinator joined with one of apps": (statement) =>
    /\bp_app\b|^(update|delete)\b|\bfor (no key )?(update|share)\b/i.test(statement.replaceAll('"', "")) &&
    namesTable(statement, APP_TABLES) &&
    namesTable(statement, UNREACHED_TABLES),
  "a table of apps read for each row of the coordinator": (statement) => {
    const [outer, inApps] = [withoutNested(statement), (text: string) => namesTable(text, APP_TABLES)];
    return namesTable(outer, UNREACHED_TABLES) && inApps(statement) && !inApps(outer);
  },
  "a function over tables in a statement over tables": (statement, { tables, reading }) =>
    !/^create\b/i.test(statement) && namesTable(statement, tables) && callsOneOf(statement, reading),
  // The rows that a list examines are a window, in which a cluster needs the app as a value.
  "a condition on a window that finds an app by a column": (statement) =>
    /^(not\s+)?exists\s*\(/i.test(statement) && /\bapp_id\s*=\s*(\w+\.)?app_id\b/i.test(statement),
  "a whole row as an argument": (statement, { tables }) => {
    const named = namedTables(statement).filter(({ table }) => tables.has(table));
    return named.some(({ table, alias = table }) =>
      new RegExp(
        `\\b(?!count|unnest|jsonb_p)\\w+\\s*\\((?:[^()]*,)?\\s*${alias}(?:\\.\\*)?\\s*[,)]`,
        "i",
      ).test(
        statement.replace(/\b(insert\s+into\s+\w+|values|on\s+conflict|distinct\s+on)\s*\([^()]*\)/gi, ""),
      ),
    );
  },
};

/** The part of a statement that changes rows: after the conditions of the code around it, within its own parentheses. */
function changeIn(statement: string, pattern = CHANGES): string {
  const change = pattern.exec(statement)?.[0] ?? "";
  let depth = 0;
  const end = [...change].findIndex((char) => {
    depth += char === "(" ? 1 : char === ")" ? -1 : 0;
    return depth < 0;
  });
  return end < 0 ? change : change.slice(0, end);
}
