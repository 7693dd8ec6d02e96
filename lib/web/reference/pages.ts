import type { TriedOperation } from "@/lib/contract/docs";
import { env } from "@/lib/platform/env";
import { openApiDocument } from "@/lib/web/openapi/document";
import type { Operation } from "@/lib/web/openapi/operation";
import { OPERATIONS } from "@/lib/web/openapi/operations";
import { eventsMarkdown } from "./events";
import { operationMarkdown, triedOperation } from "./operation";
import { tableOf } from "./schema-table";

/** A page of the API reference, generated as Markdown from the OpenAPI document. */
interface ReferencePage {
  /** As if it were a file below `docs/`, which gives its address and its links their meaning. */
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
