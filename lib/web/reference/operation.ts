import type { TriedOperation } from "@/lib/contract/docs";
import { env } from "@/lib/platform/env";
import { codesByStatus, type Operation } from "@/lib/web/openapi/operation";
import { whyOf } from "@/lib/web/openapi/refusals";
import { type JsonObject, toSchema } from "@/lib/web/openapi/schemas";
import { writeSamples } from "./samples";
import { fieldTable, resolverOf, tableOf } from "./schema-table";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  example?: unknown;
}

/** The parameters of an operation as the document lists them. */
function parametersIn(document: JsonObject, { path, method }: Operation): Parameter[] {
  const paths = document.paths as Record<string, Record<string, { parameters?: Parameter[] }>>;
  return paths[path]?.[method]?.parameters ?? [];
}

/** Providers sign their requests, which a browser cannot. */
const isSigned = ({ path }: Operation) => path.startsWith("/providers/");

/** The operation as a page can send it; undefined if it needs more than an API key. */
export function triedOperation(document: JsonObject, operation: Operation): TriedOperation | undefined {
  if (isSigned(operation)) return undefined;
  const { method, path, body, scope, idempotent = false } = operation;
  const parameters = parametersIn(document, operation)
    .filter((parameter) => parameter.in === "path")
    .map(({ name, example }) => ({ name, example: String(example ?? "") }));
  return {
    method: method.toUpperCase(),
    path,
    parameters,
    body: body && JSON.stringify(body.example, null, 2),
    keyed: scope !== undefined,
    idempotent,
  };
}

/** The path with its parameters replaced by their examples. */
function examplePath(path: string, parameters: readonly Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (whole, name) => {
    const found = parameters.find((parameter) => parameter.name === name);
    return String(found?.example ?? whole);
  });
}

/** The page of one operation. */
export function operationMarkdown(document: JsonObject, operation: Operation): string {
  const { summary, description, scope, method, path, answer } = operation;
  const call = `\`${method.toUpperCase()} /api${path}\``;
  const needs = scope ? `${call}, with the scope \`${scope}\`` : `${call}, without an API key`;
  const parts = [
    `# ${summary}`,
    description,
    `${needs}.`,
    samples(document, operation),
    request(document, operation),
    `## Response`,
    answer.description,
    `\`\`\`json\n${JSON.stringify(answer.example, null, 2)}\n\`\`\``,
    fieldTable({ $ref: `#/components/schemas/${answer.schema}` }, resolverOf(document), "optional"),
    errors(document, operation),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function samples(document: JsonObject, operation: Operation): string {
  const { method, path, scope, body, idempotent = false } = operation;
  // A library signs better than a sample.
  if (isSigned(operation))
    return "[Your own server](../providers.md#your-own-server-1) has a complete example with a signature.";
  const intention = idempotent
    ? "`intentionId` is a UUID that you store before you send the request and repeat with its retries.\n\n"
    : "";
  const request = writeSamples({
    method: method === "get" ? "GET" : "POST",
    url: `${env().APP_URL}/api${examplePath(path, parametersIn(document, operation))}`,
    keyed: scope !== undefined,
    idempotent,
    ...(body && { body: body.example }),
  });
  return intention + request;
}

function request(document: JsonObject, operation: Operation): string {
  const resolve = resolverOf(document);
  const parameters = parametersIn(document, operation).map((parameter) => [
    `\`${parameter.name}\``,
    `${parameter.in}${parameter.required ? ", required" : ""}`,
    parameter.description ?? "",
  ]);
  const bodies = (operation.body?.schemas ?? []).map((name) =>
    fieldTable({ $ref: `#/components/schemas/${name}` }, resolve, "required"),
  );
  if (parameters.length + bodies.length === 0) return "";
  const example =
    bodies.length > 0 ? [`\`\`\`json\n${JSON.stringify(operation.body?.example, null, 2)}\n\`\`\``] : [];
  const table = parameters.length > 0 ? [tableOf(["Parameter", "In", "Meaning"], parameters)] : [];
  return ["## Request", ...table, ...example, bodies.join("\n\nOr:\n\n")].filter(Boolean).join("\n\n");
}

function errors(document: JsonObject, operation: Operation): string {
  const rows = [...codesByStatus(operation)].flatMap(([status, codes]) =>
    codes.map((code) => [
      String(status),
      `[\`${code}\`](../guides/errors.md#${code.toLowerCase()})`,
      whyOf(code),
    ]),
  );
  return ["## Errors", tableOf(["Status", "`error.code`", "When"], rows), extra(document, operation)]
    .filter(Boolean)
    .join("\n\n");
}

/** The field beside `error` in the body of some errors. */
function extra(document: JsonObject, operation: Operation): string {
  if (!operation.extra) return "";
  const { codes, name, schema, description } = operation.extra;
  const listed = codes.map((code) => `\`${code}\``).join(", ");
  const properties = { [name]: { ...toSchema(schema, "output"), description } };
  const table = fieldTable({ properties }, resolverOf(document), "optional");
  return `The body of ${listed} can have one more field:\n\n${table}`;
}
