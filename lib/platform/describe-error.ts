/**
 * An error as the log shows it. Its fields are listed explicitly, so that a new field cannot carry a secret into
 * the log.
 */
interface Described {
  type: string;
  /** The SQLSTATE, Node's code or our own; for the query builder's wrapper the code of its cause. */
  code?: string | undefined;
  message: string;
  stack?: string | undefined;
  cause?: Described | undefined;
  errors?: Described[] | undefined;
}

/** A text without the API keys in it: a path that an error repeats, or a field into which one was pasted. */
export const withoutKeys = (text: string): string => text.replace(/mc_(live|test)_\w+/g, "mc_$1_[removed]");

const MAX_MESSAGE = 500;
const MAX_FRAMES = 12;
const MAX_FRAME = 200;
const MAX_CAUSES = 3;
const MAX_ERRORS = 3;

/** A line of a stack with a location; without one it may be the second line of a message. */
const FRAME = /^ {4}(at .*(?::\d+:\d+\)?|\((?:<anonymous>|native)\)))$/;

/**
 * Describes an error without its values: the query builder puts every parameter into message and stack, and
 * PostgreSQL whole rows into `detail`. The length is bounded, whatever was thrown.
 */
export function describeError(error: unknown, depth = 0): Described {
  if (!(error instanceof Error)) return { type: typeof error, message: textOf(error) };
  const deeper = depth < MAX_CAUSES;
  const { cause } = error;
  const parts = error instanceof AggregateError ? error.errors.slice(0, MAX_ERRORS) : [];
  return {
    type: (error.name === "Error" && error.constructor.name) || error.name,
    code: codeOf(error) ?? (isFailedQuery(error) ? codeOf(cause) : undefined),
    message: shorten(messageOf(error)),
    stack: framesOf(error),
    cause: deeper && cause !== undefined ? describeError(cause, depth + 1) : undefined,
    errors: deeper && parts.length > 0 ? parts.map((part) => describeError(part, depth + 2)) : undefined,
  };
}

function textOf(thrown: unknown): string {
  return typeof thrown === "string" ? shorten(thrown) : "not an error";
}

const shorten = (text: string): string => withoutKeys(text).slice(0, MAX_MESSAGE);

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" && /^\w{1,60}$/.test(error.code) ? error.code : undefined;
}

/** The reason of an error for its operator: the message, or the code where each of several addresses refused. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || (codeOf(error) ?? error.name);
}

/**
 * True for the query builder's wrapper, recognised by its fields, because the framework's bundles contain another
 * copy of the class.
 */
function isFailedQuery(error: Error): boolean {
  return "query" in error && "params" in error;
}

function messageOf(error: Error): string {
  if (isFailedQuery(error)) return error.cause instanceof Error ? messageOf(error.cause) : "a query failed";
  const [message = ""] = error.message.split("\nparams: ", 1);
  return quotesInput(error) ? message.replace(/".*"/s, '"[removed]"') : message;
}

/** PostgreSQL's class 22 and JavaScript's parsers quote the invalid input; other errors quote names only. */
function quotesInput(error: Error): boolean {
  return error instanceof SyntaxError || /^22/.test(codeOf(error) ?? "");
}

/** The locations of the stack. The lines before them repeat the message, which may itself look like a location. */
function framesOf(error: Error): string | undefined {
  const { stack = "", message } = error;
  const start = stack.indexOf(message);
  if (start === -1) return undefined;
  const lines = stack.slice(start + message.length).split("\n");
  const frames = lines.flatMap((line) => FRAME.exec(line)?.[1]?.slice(0, MAX_FRAME) ?? []);
  return frames.slice(0, MAX_FRAMES).join("\n");
}
