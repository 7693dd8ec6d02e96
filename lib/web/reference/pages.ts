import type { TriedOperation } from "@/lib/contract/docs";
import { env } from "@/lib/platform/env";
import { openApiDocument } from "@/lib/web/openapi/document";
import { codesByStatus, type Operation } from "@/lib/web/openapi/operation";
import { OPERATIONS } from "@/lib/web/openapi/operations";
import { whyOf } from "@/lib/web/openapi/refusals";
import { type JsonObject, toSchema } from "@/lib/web/openapi/schemas";
import { eventsMarkdown } from "@/lib/web/reference/events";
import { writeSamples } from "@/lib/web/reference/samples";
import { fieldTable, resolverOf, tableOf } from "@/lib/web/reference/schema-table";

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
function triedOperation(document: JsonObject, operation: Operation): TriedOperation | undefined {
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
function operationMarkdown(document: JsonObject, operation: Operation): string {
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
  // No samples, because a library should compute the signature.
  if (isSigned(operation))
    return "[Your own server](../providers.md#your-own-server-1) has a complete example with a signature.";
  const intention = idempotent
    ? "`intentionId` is a UUID that you store before you send the request and send again with its retries.\n\n"
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

/** A page of the API reference, generated as Markdown from the OpenAPI document. */
interface ReferencePage {
  /** The page's path as if it were a file below `docs/`, from which its address and links are resolved. */
  file: string;
  name: string;
  /** The operation of the page, if a browser can send it. */
  operation?: TriedOperation;
  keywords?: string;
  markdown: string;
}

/** `redeemMetacode` as `redeem-metacode`. */
const slugOf = (id: string) => id.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

const fileOf = ({ id }: Operation) => `api/${slugOf(id)}.md`;

const EVENTS_FILE = "api/webhook-events.md";

/** Every page of the reference in reading order: the overview, each operation, and the webhook events. */
export function referencePages(): ReferencePage[] {
  const document = openApiDocument();
  const operations = OPERATIONS.map((operation) => {
    const tried = triedOperation(document, operation);
    return {
      file: fileOf(operation),
      name: operation.summary,
      keywords: `${operation.path} ${operation.id}`,
      markdown: operationMarkdown(document, operation),
      ...(tried && { operation: tried }),
    };
  });
  const overview = {
    file: "api/README.md",
    name: "API reference",
    keywords: "OpenAPI Swagger Postman collection endpoints schema generate client base URL authentication",
    markdown: overviewMarkdown(),
  };
  const events = { file: EVENTS_FILE, name: "Webhook events", markdown: eventsMarkdown(document) };
  return [overview, ...operations, events];
}

function overviewMarkdown(): string {
  const base = `${env().APP_URL}/api`;
  const rows = OPERATIONS.map((operation) => [
    `[${operation.summary}](../${fileOf(operation)})`,
    `\`${operation.method.toUpperCase()} ${operation.path}\``,
  ]);
  return `# API reference

Every endpoint with its fields, responses and errors, generated from the schemas that validate the requests.

The base address of this installation is \`${base}\`. Bodies are JSON in UTF-8, at most 16 KiB. Unknown fields are ignored, and
responses may get new fields. (+) marks additions to the basic contract: a client that does not know them works without them.

## Endpoints

${tableOf(["Endpoint", "Call"], rows)}

In the other direction, Metacode sends [webhook events](../${EVENTS_FILE}) to your server.

## Authentication

Send the API key of your app in the header \`x-api-key\`. You create keys in the dashboard, under *API keys* of your app. Keys begin with
\`mc_live_\`, or with \`mc_test_\` for a sandbox app. [Keys and phones](../guides/keys.md) says which key belongs where.

## Errors

Every error has the same body. Branch on \`error.code\`, never on the message, and log \`error.request_id\`.

\`\`\`json
{
  "error": {
    "code": "VALIDATION_ERROR",
    "message": "uid is required and must be a string",
    "request_id": "019aa3c2-8f02-7a4b-b1de-94c3d2e1f0a9"
  }
}
\`\`\`

[Errors](../guides/errors.md) lists every code with its cause and its remedy.

## Retries

Claim and redeem accept an \`Idempotency-Key\`: the same key with the same body gets the first response again for 24 hours, so a
lost response costs no code. [Plain HTTP](../guides/http.md#offline-and-retries) has the rules.

## Machine-readable

- [OpenAPI 3.1](${env().APP_URL}/openapi.json), for generators of clients
- [Postman collection](${env().APP_URL}/postman.json), which Bruno and Insomnia import as well
- Every page of this documentation as Markdown: add \`.md\` to its address
`;
}
