import { z } from "zod";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { ERROR_STATUS, type ErrorCode } from "@/lib/platform/errors";
import { headerRefs } from "./headers";
import { codesByStatus, type Operation } from "./operation";
import { capital, type JsonObject, refTo } from "./schemas";

const REQUEST_ID = "019aa3c2-8f02-7a4b-b1de-94c3d2e1f0a9";

const NO_KEY =
  "The API key is missing, mistyped, unknown, expired or revoked, or a provider's delivery has no valid proof.";

/** The reason for an error code, for developers. */
export function whyOf(code: ErrorCode): string {
  return code === "UNAUTHORIZED" ? NO_KEY : (ERROR_HELP[code]?.why ?? "");
}

/** A string that lists the known codes but is open, because a decoder generated from a closed list fails on a later code. */
const codeAmong = (codes: readonly string[]) =>
  z.string().meta({
    description: "Branch on this, not on the message. Later versions may add codes.",
    "x-extensible-enum": codes,
  });

const errorCode = codeAmong(Object.keys(ERROR_STATUS));

/** The error of section 7, the same in every refusal. */
const errorBody = z.object({
  code: errorCode,
  message: z.string().meta({ description: "For developers; the wording may change." }),
  request_id: z.uuid().meta({ description: "(+) Equals the header `X-Request-Id`." }),
});

/** The envelope of section 7 for some codes, with the field beside `error` that some of them have. */
function envelope(codes: readonly ErrorCode[], extra: Operation["extra"]): z.ZodType {
  const error = z.intersection(errorBody, z.object({ code: codeAmong(codes) }));
  if (!extra) return z.object({ error });
  return z.object({ error, [extra.name]: extra.schema.optional().meta({ description: extra.description }) });
}

interface ErrorGroup {
  status: number;
  codes: ErrorCode[];
  name: string;
  extra: Operation["extra"];
}

const camel = (code: string) => code.toLowerCase().split("_").map(capital).join("");

/** The errors of an operation by status. Operations share the schema of a status with one code and no extra field. */
function errorGroups(operation: Operation): ErrorGroup[] {
  return [...codesByStatus(operation)].map(([status, codes]) => {
    const extra = codes.some((code) => operation.extra?.codes.includes(code)) ? operation.extra : undefined;
    const [only = "INTERNAL_ERROR", ...others] = codes;
    const name = others.length > 0 ? String(status) : camel(only).replace(/Error$/, "");
    const own = extra || others.length > 0 ? capital(operation.id) : "";
    return { status, codes, extra, name: `${own}${name}Error` };
  });
}

/** Schemas of all error bodies of some operations and of their parts, by name. */
export function errorSchemas(operations: readonly Operation[]): Record<string, z.ZodType> {
  const all = operations.flatMap(errorGroups);
  return {
    ErrorCode: errorCode,
    ErrorBody: errorBody,
    ...Object.fromEntries(all.map(({ name, codes, extra }) => [name, envelope(codes, extra)])),
  };
}

/** The errors of an operation as OpenAPI responses, one per status, with an example for each code. */
export function errorResponses(operation: Operation): Record<string, JsonObject> {
  return Object.fromEntries(
    errorGroups(operation).map(({ status, codes, extra, name }) => {
      const examples = codes.map((code) => [code, exampleOf(code, operation.refusals[code] ?? "")]);
      const content = { schema: refTo(name), examples: Object.fromEntries(examples) };
      const description = codes.map((code) => `\`${code}\`: ${whyOf(code)}`).join("\n\n");
      const headers = headerRefs(status, operation.idempotent ?? false, codes, extra !== undefined);
      return [String(status), { description, headers, content: { "application/json": content } }];
    }),
  );
}

function exampleOf(code: ErrorCode, message: string): JsonObject {
  return { summary: message, value: { error: { code, message, request_id: REQUEST_ID } } };
}
