import { isTool, type SourceFile } from "./tree";

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
  people: "end users, or the noun of their part",
};

/** Verbs that no function of production code begins with, because they hide whether it creates, stores, sends or updates. */
const RETIRED_VERB = /^((ask|keep|make|put|tell)(_|(?=[A-Z]))|change(?=[A-Z]))/;

/** "Gives a referee the code", with the noun as a pattern. */
const GIVES = (noun: string) =>
  new RegExp(
    `\\bgiv(e|es|en|ing) ((a|an|the|each|every|another) )?((referee|referrer|user|friend)s? )?((a|an|the|one|another) )?${noun}\\b`,
    "i",
  );

/**
 * Retired in comments, screens, messages, test titles and documents, also where a phrase is wrapped, and as the words of
 * an identifier.
 */
const RETIRED_PROSE: [RegExp, string][] = [
  // A quoted "nobody" is the Unix account.
  [/\b(?!(?<=")nobody")(nobody|somebody|whoever|whosoever)\b/i, "the noun: caller, user, worker, row"],
  [/\bhand(s|ed|ing)? out\b/i, "assign"],
  [/\bgiven out\b/i, "assigned"],
  [GIVES("(promo |free )?codes?"), "assign"],
  [/\bcodes? (is|are|was|were) given\b/i, "assigned"],
  [GIVES("(goodwill )?rewards?"), "grant"],
  [/\btold of\b/i, "notified about"],
  [/\b(is|are|was|were|be|been|being) told\b(?! (from|apart))/i, "notified"],
  [/\battention\b/i, "problems"],
  [/\boffices?\b/i, "workspace context"],
  [/\bjudg(e|es|ing)\b/i, "apply, match"],
  [/\b(the|a|an|this|each|every|your|our|its) rooms?\b|\brooms\b/i, "app context, page or section"],
  [
    /\b(send|sends|sent|sending|receives?|received|gets?|writes?|wrote)( \w+)? (a|the|this|no|another) letters?\b/i,
    "email",
  ],
  [/\bsign(s|ed|ing)?[- ]in elsewhere\b/i, "through GitHub or Google, OAuth"],
  [/\bmoments\b|\bmoment (of|when|that)\b/i, "time, timestamp"],
  [/\bstarts anew\b/i, "resets"],
  [/\banew\b/i, "again"],
  [/\bmend(s|ed|ing)?\b/i, "fix"],
  [/\bnothing to mend\b/i, "all good"],
  [/\bwhat(ever)? became of\b/i, "outcome"],
  [/\bit is our fault\b/i, "something went wrong on our side"],
  [/\bnewest activity\b/i, "recent activity"],
  [/\bpresent (password|version|state|settings|rules|format|lock|primary)\b/i, "current"],
  [/\bthat (is|are) none\b/i, "invalid, any other"],
  [/\bso many (seconds|milliseconds|days)\b/i, "the given number of"],
  [/\billness(es)?\b/i, "fault"],
  [/\bundue\b/i, "no longer due"],
  [/\bfrom which on\b/i, "from which"],
  [/\d %(?! \d)/i, "no space before a percent sign"],
  [/\bin the room\b/i, "under, on the page"],
  [/\bhow it goes round\b/i, "how it works"],
  [/\bwhatever stands here\b/i, "regardless of these settings"],
  [/\bstands? (under|below)\b/i, "is listed under, comes below"],
  [/\brequests of this month\b/i, "requests this month"],
  [/\blooked at every\b/i, "checked every"],
  [/\b(who|you) (is|are|would be) told\b/i, "recipients, notified"],
  [/\bempty: (no end|when you)\b/i, "leave empty for no limit"],
  [/(?<="NOT_FOUND"[:,] ["`])[^"`]*(has this id|not found)\b/i, "there is no such"],
  [/\bpage could not be made\b/i, "something went wrong on our side"],
  // The quotation mark comes first: otherwise the pattern would look back from each letter of the project.
  [
    /"(?=\$\{)(?<=\b(fail\("[A-Z_]+", |(title|label|hint|done|description|detail|message|note)[=:{]+\s*)`[^`]*")/,
    "curly quotation marks around a name",
  ],
  [/\bmake (a|the) (pool|campaign|batch|key|app|workspace)\b/i, "create"],
];

/** A comment that begins with a free relative hides its subject: "Who is still to be counted goes alone". */
const HIDDEN_SUBJECT = /^(what|who|whose|whatever|whoever|(one|those) (who|whose|that))\b(?!.*\?)/i;

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/[^\n]*/g;
/** Consecutive lines of SQL are one comment. */
const SQL_COMMENT = /--[^\n]*(\n[ \t]*--[^\n]*)*/g;
/** The end of a line, with the comment or quotation mark of the next line. */
const LINE_END = /\n[ \t]*(\*(?!\/)|\/\/|--|>)?/g;
/** Titles outside a `describe`; inside one, its title is the subject. */
const TEST_TITLE = /^(?:test|it|describe)(?:\.\w+(?:\([^;]*?\))?)*\(\s*(["'`])(.+?)\1/gm;
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
  if (path.endsWith(".sql")) return text.replace(SQL_COMMENT, " ").replace(/'[^']*'/g, "''");
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
    `\\b(const|let|function|type|interface|class)\\b\\*?\\s+${name}\\b`,
    `\\b${name}\\s*=>`,
    `\\.\\.\\.${name}:`,
    // The other names also occur as properties, in plural forms of languages and in reports of other programs.
    ...(/^(who|kept)$/.test(name) ? [`[{;,]\\s*${name}\\s*\\??\\s*[:=](?!=)`] : []),
    `\\(\\s*${name}\\s*[:,)]\\s*[^;]*?(=>|\\{)`,
    `\\([^(){}]*,\\s*${name}\\s*[?:,)]`,
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

/** Names of stored tables, columns and values, which a rename would have to migrate, and SQL variables named after them. */
const STORED = /^(erasedPeople|toldAt|keptUntil|told_at|judged_at|kept_until)$/;
const STORED_IN_SQL = /^([pv]_)?(told_at|judged_at|kept_until|lanes?)$/;

/** The retired part of a name, or a retired phrase in it. */
function retiredPartOf(name: string): string | undefined {
  const parts = partsOf(name);
  const part = parts.find((word) => Object.hasOwn(RETIRED_PARTS, word));
  if (part) return RETIRED_PARTS[part];
  return RETIRED_PROSE.find(([pattern]) => pattern.test(parts.join(" ")))?.[1];
}

const FUNCTION = /\bfunction\*?\s+(\w+)|\bconst (\w+) = (?:async )?(?:\([^()]*\)|\w+)(?:: [^=]+)? =>/gi;

/** Functions of production code whose name begins with a retired verb. */
function retiredVerbs({ path }: SourceFile, code: string): string[] {
  if (isTool(path)) return [];
  const names = [...code.matchAll(FUNCTION)].map(([, first, second]) => first ?? second ?? "");
  return names.filter((name) => RETIRED_VERB.test(name)).map((name) => `${name} (begin with another verb)`);
}

function retiredIdentifiers(file: SourceFile): string[] {
  if (!isCode(file.path) && !file.path.endsWith(".sql")) return [];
  const code = bareCode(file);
  const parts = [...new Set(code.match(/[A-Za-z_$][\w$]*/g))].flatMap((identifier) => {
    const isStored = (file.path.endsWith(".sql") ? STORED_IN_SQL : STORED).test(identifier);
    const use = isStored ? undefined : retiredPartOf(identifier);
    return use ? [`${identifier} (use: ${use})`] : [];
  });
  const isDeclared = (name: string) =>
    isCode(file.path) ? declares(code, name) : new RegExp(`\\bv_${name}\\b`).test(code);
  const names = Object.entries(RETIRED_NAMES).flatMap(([name, use]) =>
    isDeclared(name) ? [`${name} (use: ${use})`] : [],
  );
  return [...parts, ...names, ...retiredVerbs(file, code)].map((found) => `${file.path}: ${found}`);
}

/** Retired phrases, with the line in which each begins; a phrase may be wrapped over two lines. */
function retiredProse({ path, text }: SourceFile): string[] {
  if (!/\.(tsx?|mjs|sql|md|css|ya?ml|example)$/.test(path)) return [];
  const unwrapped = text.replace(LINE_END, (end) => " ".repeat(end.length));
  return RETIRED_PROSE.flatMap(([pattern, use]) =>
    [...unwrapped.matchAll(new RegExp(pattern.source.replaceAll(" ", " +"), "gi"))].map(
      ({ 0: found, index }) => {
        const line = text.slice(0, index).split("\n").length;
        return `${path}:${line}: ${found.replace(/ +/g, " ")} (use: ${use})`;
      },
    ),
  );
}

/** Comments and titles of tests that begin with a free relative. */
function hiddenSubjects(file: SourceFile): string[] {
  if (!isCode(file.path) && !file.path.endsWith(".sql")) return [];
  const titles = isCode(file.path)
    ? [...file.text.matchAll(TEST_TITLE)].map(([, , title = ""]) => title)
    : [];
  return [...commentsOf(file), ...titles]
    .filter((sentence) => HIDDEN_SUBJECT.test(sentence))
    .map((sentence) => `${file.path}: "${sentence.slice(0, 60)}" (begin with the noun)`);
}

const RETIRED_FILE = /^(words|turns|in-turn|writer|shared)$/;

/** Retired words in the name of a file, or of a folder above it. `/people` is a page. */
function retiredPath({ path }: SourceFile): string[] {
  const names = path.split("/").map((name) => name.replace(/(?<=.)\..*$/, ""));
  const retired = names.find((name) => RETIRED_FILE.test(name) || (name !== "people" && retiredPartOf(name)));
  return retired ? [`${path}: ${retired} in a path`] : [];
}

/** Retired words of the glossary in identifiers, paths, comments, test titles, screens and documents, each with its place. */
export function retiredWords(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => !path.startsWith("lib/testing/rules/words") && !path.startsWith("drizzle/"))
    .flatMap((file) => [
      ...retiredPath(file),
      ...retiredIdentifiers(file),
      ...retiredProse(file),
      ...hiddenSubjects(file),
    ]);
}
