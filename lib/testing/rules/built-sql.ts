import type { SourceFile } from "./tree";

const CLOSING: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** Index behind the bracket, string or template that begins at `start`. */
function endOf(text: string, start: number): number {
  const open = text[start] ?? "";
  if (open === '"' || open === "'") return endOfString(text, start, open);
  const close = open === "`" ? "`" : CLOSING[open];
  let at = start + 1;
  while (at < text.length && text[at] !== close) {
    if (open !== "`" && /["'`([{]/.test(text[at] ?? "")) at = endOf(text, at);
    else if (open === "`" && text.startsWith("${", at)) at = endOf(text, at + 1);
    else at += text[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}

function endOfString(text: string, start: number, quote: string): number {
  let at = start + 1;
  while (at < text.length && text[at] !== quote && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** The calls of a chain, `.update(codes).set(...)`, that begins at `start`. */
function chainAt(text: string, start: number): [method: string, args: string][] {
  const calls: [string, string][] = [];
  const call = /\s*\.(\w+)(?:<[^()]*?>)?\(/y;
  for (let at = start; ; ) {
    call.lastIndex = at;
    const found = call.exec(text);
    if (!found) return calls;
    const open = call.lastIndex - 1;
    at = endOf(text, open);
    calls.push([found[1] ?? "", text.slice(open + 1, at - 1)]);
  }
}

/** Maximum depth to which constants and functions that name others are followed. */
const MOST_DEPTH = 3;

/** The constants and functions that a file declares or imports, by name. */
type Known = ReadonlyMap<string, string>;

const snake = (name: string) => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

/** Names of tables in TypeScript and in SQL, and the text of every constant and function by its name. */
export interface Names {
  tables: ReadonlyMap<string, string>;
  declared: ReadonlyMap<string, string>;
}

/** The names of all tables, constants and functions below `lib/`, tests aside. */
export function namesOf(files: SourceFile[]): Names {
  const texts = files.filter(({ path }) => /^lib\/.*\.ts$/.test(path) && !path.endsWith(".test.ts"));
  const all = (pattern: RegExp) => texts.flatMap(({ text }) => [...text.matchAll(pattern)]);
  return {
    tables: new Map(
      all(/\bexport const (\w+) = pgTable\(\s*"(\w+)"/g).map(([, name = "", table = ""]) => [name, table]),
    ),
    declared: new Map(
      all(
        /^(?:export )?(?:async )?(?:const|function) (\w+)[\s\S]*?(?=\n\n|\n(?:export|const|function)\b)/gm,
      ).map(([body, name = ""]) => [name, body]),
    ),
  };
}

/** The conditions and values of an expression in SQL, with those of the constants and functions that it names. */
function written(expression: string, names: Names, known: Known, depth = 0): string {
  const named = depth < MOST_DEPTH ? [...new Set(expression.match(/(?<![.\w])[a-zA-Z]\w*/g) ?? [])] : [];
  const bodies = named.map((name) => known.get(name) ?? "").filter(Boolean);
  const [inner = "", ...rest] = [expression, ...bodies];
  const own = inner
    .replace(/\bsql(?:<[^`]*?>)?`/g, "`")
    .replace(/\$\{(\w+)\}/g, (_, name) => names.tables.get(name) ?? "$")
    .replace(/\$\{(\w+)\.(\w+)\}/g, (_, table, column) => (names.tables.has(table) ? snake(column) : "$"))
    .replace(/\b(\w+)\.(\w+)\b/g, (all, table, column) => (names.tables.has(table) ? snake(column) : all))
    .replace(/[`]/g, " ");
  return [own, ...rest.map((body) => written(body, names, known, depth + 1))].join(" ");
}

/** `{ status, appId: id }` as `status = $, app_id = id`. */
function assignments(object: string): string {
  return object
    .replace(/^\s*\{|\}\s*$/g, "")
    .replace(/(^|,)\s*(\w+)\s*:/g, (_, before, key) => `${before} ${snake(key)} =`)
    .replace(/(^|,)\s*(\w+)\s*(?=,|$)/g, (_, before, key) => `${before} ${snake(key)} = $`);
}

const STARTS = /\.(?:select(?:Distinct(?:On)?)?|update|delete|insert)(?:<[^()]*?>)?\(/g;
const CLAUSES: Record<string, string> = {
  from: "from",
  innerJoin: "join",
  leftJoin: "join",
  where: "where",
  returning: "returning",
  for: "for",
};

/** A query within an expression. */
export const SUBQUERY = /\(\s*select\b/i;

interface Built {
  /** The statement as SQL, as far as its text shows it. */
  text: string;
  /** The conditions by which rows are found. */
  conditions: string;
}

/** One statement of the query builder, such as `.update(codes).set({...}).where(...)`; undefined for other chains. */
function built(text: string, start: number, names: Names, known: Known): Built | undefined {
  const chain = chainAt(text, start);
  const sql = (args: string) => written(args, names, known);
  const own = (args: string) => written(args, names, known, MOST_DEPTH);
  const tableOf = (args: string) => names.tables.get(/^\s*(\w+)/.exec(args)?.[1] ?? "") ?? "";
  const [[first, args] = ["", ""]] = chain;
  const from = chain.find(([method]) => method === "from")?.[1];
  const table = tableOf(first.startsWith("select") ? (from ?? "") : args);
  if (!table) return undefined;
  const head = first.startsWith("select")
    ? `select ${own(args)}`
    : `${first} ${first === "update" ? "" : "from "}${table}`;
  const conditions = chain.filter(([method]) => /^(where|innerJoin|leftJoin|values)$/.test(method));
  const row = /^\w+$/.exec(chain.find(([method]) => method === "values")?.[1] ?? "")?.[0] ?? "";
  const rest = chain.slice(1).map(([method, args]) => {
    if (method === "set") return `set ${assignments(own(args))}`;
    if (method === "onConflictDoUpdate") {
      const value = /\bset:\s*([\s\S]*)/.exec(args)?.[1] ?? "";
      if (value.startsWith("{")) return `do update set ${assignments(own(value.slice(0, endOf(value, 0))))}`;
      // The inserted row includes its keys, and so the app.
      return value.startsWith(row) && row ? "do update set app_id = $" : "";
    }
    // Of the values, only queries matter, in the statement or in a constant that it names.
    if (method === "values")
      return SUBQUERY.test(written(args, names, known, MOST_DEPTH - 1)) ? "values ((select $))" : "";
    if (/^(from|innerJoin|leftJoin)$/.test(method)) return `${CLAUSES[method]} ${tableOf(args)}`;
    return CLAUSES[method] ? `${CLAUSES[method]} ${own(args)}` : "";
  });
  return {
    text: [head, ...rest].join(" ").replace(/^insert from/, "insert into"),
    conditions: conditions.map(([, args]) => sql(args)).join(" "),
  };
}

/** The constants and functions that a file may name: its own, including those inside functions, and those that it imports. */
function knownIn(code: string, names: Names): Known {
  const imported = [...code.matchAll(/\bimport (?:type )?\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.trim()),
  );
  const constants = [...code.matchAll(/\b(?:const|let) (\w+)(?:: [^=;]+)? = ([\s\S]*?);\n/g)];
  const functions = [...code.matchAll(/\bfunction (\w+)/g)].map(([, name = ""]) => name);
  return new Map([
    ...[...imported, ...functions].map((name) => [name, names.declared.get(name) ?? ""] as const),
    ...constants.map(([, name = "", body = ""]) => [name, body] as const),
  ]);
}

const WRITTEN_OUT = /\bsql(?:<[^`]*?>)?(?=`)|\bquery(?:<[^()]*?>)?\(\s*(?=["'`])/g;

/** The content of tagged templates, and of statements passed to a driver as text. Values become `$`. */
function writtenOut(code: string, names: Names, known: Known): Built[] {
  return [...code.matchAll(WRITTEN_OUT)].map((opening) => {
    const start = opening.index + opening[0].length;
    const template = code.slice(start + 1, endOf(code, start) - 1);
    const found = /\b(?:where|join|values)\b[\s\S]*/i.exec(template)?.[0] ?? "";
    const text = written(template, names, known, MOST_DEPTH).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "$");
    return { text: text.trim(), conditions: written(found, names, known) };
  });
}

/** The statements that a file of TypeScript writes out or builds. */
export function statementsInCode({ text }: SourceFile, names: Names): Built[] {
  const code = text.replace(/^\s*\/\/.*$/gm, "").replace(/\/\*[\s\S]*?\*\//g, "");
  const known = knownIn(code, names);
  return [
    ...[...code.matchAll(STARTS)].flatMap(({ index }) => built(code, index, names, known) ?? []),
    ...writtenOut(code, names, known),
  ];
}
