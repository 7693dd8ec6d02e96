import type { SourceFile } from "./tree";

/** Retired words as parts of identifiers (camelCase, snake_case, kebab-case), with the glossary's word for each. */
const RETIRED_PARTS: Record<string, string> = {
  room: "app context, page or section",
  rooms: "pages or sections",
  office: "workspace context",
  elsewhere: "oauth",
  letter: "email",
  letters: "emails",
  outside: "egress",
  attention: "problems",
  judge: "apply, match",
  judged: "applied",
  moment: "timestamp",
  moments: "timestamps",
  lane: "slot",
  lanes: "slots",
  told: "notified",
  asked: "requested",
  nobody: "the noun",
  somebody: "the noun",
  whoever: "the noun",
  whose: "the noun",
};

/** Retired as whole identifiers only: inside a longer name they have other, plain uses. */
const RETIRED_NAMES: Record<string, string> = {
  one: "the row's own noun",
  who: "the caller's noun",
  kept: "stored, cached or retained",
  turns: "the limiter's own word",
  inTurn: "the limiter's own word",
  words: "labels",
};

/** Retired in comments, screens, messages and documents. */
const RETIRED_PROSE: [RegExp, string][] = [
  // A quoted "nobody" is the Unix account.
  [/\b(?!(?<=")nobody")(nobody|somebody|whoever|whosoever)\b/i, "the noun: caller, user, worker, row"],
  [/\bhand(s|ed|ing)? out\b/i, "assign"],
  [/\bgiven out\b/i, "assigned"],
  [/\btold of\b/i, "notified about"],
  [/\bstarts anew\b/i, "resets"],
  [/\bnothing to mend\b/i, "all good"],
  [/\bwhat(ever)? became of\b/i, "outcome"],
  [/\bit is our fault\b/i, "something went wrong on our side"],
  [/\bnewest activity\b/i, "recent activity"],
  [/\bpresent password\b/i, "current password"],
  [/\bin the room\b/i, "under, on the page"],
  [/\bhow it goes round\b/i, "how it works"],
  [/\bwhatever stands here\b/i, "regardless of these settings"],
];

/** A comment that begins with a free relative hides its subject: "Who is still to be counted goes alone". */
const HIDDEN_SUBJECT = /^(what|who|whose|whatever|whoever)\b(?!.*\?)/i;

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/[^\n]*/g;
const SQL_COMMENT = /--[^\n]*/g;
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

const isCode = (path: string) => /\.(tsx?|mjs)$/.test(path);

/** The comments of a file, each as one line without its stars. */
function commentsOf({ path, text }: SourceFile): string[] {
  const pattern = path.endsWith(".sql") ? SQL_COMMENT : COMMENT;
  return [...text.matchAll(pattern)].map(([comment]) =>
    comment
      .replace(/^\s*(\/\*\*?|\*|\/\/|--)|\*\/$/gm, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

/** Code without comments, strings and the text of markup, in which these are plain English words or stored values. */
function bareCode({ path, text }: SourceFile): string {
  const code = text
    .replace(COMMENT, " ")
    .replace(/^(import|export) [^;]*? from [^;]*;$/gm, " ")
    .replace(STRING, (literal) =>
      literal.startsWith("`") ? [...literal.matchAll(/\$\{[^}]*\}/g)].join(" ") : '""',
    );
  return path.endsWith(".tsx") ? code.replace(/(?<=[>}])[^<>{}();=]*(?=[<{])/g, " ") : code;
}

/** Whether the code declares a name: as a variable, a function, a parameter or by destructuring. */
function declares(code: string, name: string): boolean {
  const declared = [
    `\\b(const|let|function|type|interface|class)\\s+${name}\\b`,
    `\\b${name}\\s*=>`,
    `\\(\\s*${name}\\s*[:,)]\\s*[^;]*?(=>|\\{)`,
    `\\{[^{}()]*\\b${name}\\b[^{}()]*\\}\\s*(:|=)`,
    `\\[[^\\[\\]()]*\\b${name}\\b[^\\[\\]()]*\\]\\s*(=|of)`,
  ];
  return declared.some((pattern) => new RegExp(pattern).test(code));
}

function partsOf(identifier: string): string[] {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_$-]+/)
    .map((part) => part.toLowerCase());
}

/** Names of stored tables, columns and values, which a rename would have to migrate. */
const STORED = /^(erasedPeople|told_at|toldAt|kept_until|keptUntil)$/;

function retiredIdentifiers(file: SourceFile): string[] {
  if (!isCode(file.path)) return [];
  const code = bareCode(file);
  const parts = [...new Set(code.match(/[A-Za-z_$][\w$]*/g))].flatMap((identifier) => {
    const part = STORED.test(identifier)
      ? undefined
      : partsOf(identifier).find((name) => Object.hasOwn(RETIRED_PARTS, name));
    return part ? [`${identifier} (use: ${RETIRED_PARTS[part]})`] : [];
  });
  const names = Object.entries(RETIRED_NAMES).flatMap(([name, use]) =>
    declares(code, name) ? [`${name} (use: ${use})`] : [],
  );
  return [...parts, ...names].map((found) => `${file.path}: ${found}`);
}

function retiredProse(file: SourceFile): string[] {
  const prose = /\.(tsx?|mjs|sql|md)$/.test(file.path) ? file.text : "";
  return prose
    .split("\n")
    .flatMap((line, index) =>
      RETIRED_PROSE.filter(([pattern]) => pattern.test(line)).map(
        ([pattern, use]) => `${file.path}:${index + 1}: ${pattern.exec(line)?.[0]} (use: ${use})`,
      ),
    );
}

function hiddenSubjects(file: SourceFile): string[] {
  if (!isCode(file.path) && !file.path.endsWith(".sql")) return [];
  return commentsOf(file)
    .filter((comment) => HIDDEN_SUBJECT.test(comment))
    .map((comment) => `${file.path}: "${comment.slice(0, 60)}" (begin with the noun)`);
}

function retiredFileName({ path }: SourceFile): string[] {
  const name = path.split("/").at(-1) ?? "";
  const part = partsOf(name.replace(/\..*$/, "")).find(
    (word) => Object.hasOwn(RETIRED_PARTS, word) || word === "words",
  );
  return part ? [`${path}: ${part} in a file name`] : [];
}

/** Retired words of the glossary in identifiers, file names, comments, screens and documents, each with its place. */
export function retiredWords(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => !path.startsWith("lib/testing/rules/words") && !path.startsWith("drizzle/"))
    .flatMap((file) => [
      ...(isCode(file.path) ? retiredFileName(file) : []),
      ...retiredIdentifiers(file),
      ...retiredProse(file),
      ...hiddenSubjects(file),
    ]);
}
