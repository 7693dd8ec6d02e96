import { env } from "@/lib/platform/env";
import { PROVIDERS } from "@/lib/program/providers/registry";
import { eventSchemas, webhooksOf } from "@/lib/web/openapi/events";
import { HEADERS, headerRefs } from "@/lib/web/openapi/headers";
import type { Operation } from "@/lib/web/openapi/operation";
import { OPERATIONS } from "@/lib/web/openapi/operations";
import { errorResponses, errorSchemas } from "@/lib/web/openapi/refusals";
import {
  type JsonObject,
  REQUESTS,
  RESPONSES,
  refTo,
  toComponents,
  toSchema,
} from "@/lib/web/openapi/schemas";

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "(+) A string that you generate for each new request and send again with its retries. The same key and body return the first response again for 24 hours; a different body is a conflict.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
  example: "8f14e45f-ceea-467f-a8b5-1d2c3e4f5a6b",
};

const ACCEPT_LANGUAGE = {
  name: "Accept-Language",
  in: "header",
  description:
    "(+) The end user's languages, as on their phone. Texts for end users come in the closest of the landing page's 36 languages, with the owner's own texts, and in English without the header, for `*` and for any other language. Error messages are always in English.",
  schema: { type: "string" },
  example: "de-AT, en;q=0.8",
};

const PROVIDER = [
  {
    name: "provider",
    in: "path",
    required: true,
    description: "The sender of the event.",
    schema: { type: "string", enum: Object.keys(PROVIDERS) },
    example: "generic",
  },
  {
    name: "connectionId",
    in: "path",
    required: true,
    description: "Id of the connection, which you create in the dashboard.",
    schema: { type: "string", format: "uuid" },
    example: "019aa3c2-7d11-7c52-9d36-5f1a0c9be2f4",
  },
];

/** The headers of Standard Webhooks, with which the provider `generic` signs. */
const SIGNED = [
  ["webhook-id", "Identifies the event; the same for every attempt.", "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"],
  ["webhook-timestamp", "Unix seconds; at most five minutes old.", "1764547200"],
  [
    "webhook-signature",
    "The signature of id, timestamp and body.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ],
].map(([name, description, example]) => ({
  name,
  in: "header",
  schema: { type: "string" },
  description: `${description} Required for \`generic\`; other providers sign in their own way.`,
  example,
}));

const ID_EXAMPLE = { id: "019aa3e4-52c8-7a6e-b1c3-0d9c8f7e6a55", limit: 20 } as Record<string, unknown>;

/** Path, query and header parameters of an operation. */
function parametersOf(operation: Operation): JsonObject[] {
  const parameters = operation.parameters ? queryOf(operation, toSchema(operation.parameters, "input")) : [];
  if (operation.path.startsWith("/providers/")) parameters.push(...PROVIDER, ...SIGNED);
  if (operation.idempotent) parameters.push(IDEMPOTENCY_KEY, ACCEPT_LANGUAGE);
  return parameters;
}

function queryOf({ path }: Operation, { properties }: JsonObject): JsonObject[] {
  return Object.entries(properties as Record<string, JsonObject>).map(([name, property]) => {
    const { description, ...schema } = property;
    const inPath = path.includes(`{${name}}`);
    const example = ID_EXAMPLE[name];
    return {
      name,
      in: inPath ? "path" : "query",
      required: inPath,
      description,
      schema,
      ...(example !== undefined && { example }),
    };
  });
}

const TAGS = [
  { name: "Referrals", description: "What your app calls: get a metacode, redeem one, claim rewards." },
  { name: "Webhooks", description: "Your webhook endpoints, and the deliveries to them." },
  { name: "Providers", description: "How purchases are confirmed." },
  {
    name: "Events",
    description:
      "Requests to your webhook endpoints: signed, sent at least once, and in order for each referral.",
  },
  { name: "Service", description: "The state of this installation." },
];

const DESCRIPTION = `Referral promo codes for mobile apps: a referrer shares a metacode, a friend redeems it for a code of
the App Store or Google Play, and confirmed friends earn rewards.

Send your app's key in the header \`x-api-key\`. Bodies are JSON in UTF-8, at most 16 KiB; unknown fields are ignored.
Responses may get new fields, and errors new codes. All errors have the same shape: branch on \`error.code\`, and show
\`error.message\` to developers only.`;

/** The API reference as an OpenAPI 3.1 document, generated from the schemas that validate the routes. */
export function openApiDocument(appUrl = env().APP_URL): JsonObject {
  return {
    openapi: "3.1.1",
    info: {
      title: "Metacode API",
      version: "1.0.0",
      summary: "Referral promo codes for mobile apps",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      contact: { name: "Documentation", url: `${appUrl}/docs` },
    },
    servers: [{ url: `${appUrl}/api`, description: "This installation" }],
    tags: TAGS,
    externalDocs: { description: "Guides", url: `${appUrl}/docs` },
    paths: pathsOf(OPERATIONS),
    webhooks: webhooksOf(),
    components: {
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "x-api-key",
          description:
            "Created in the dashboard and shown once. Begins with `mc_live_`, or `mc_test_` for a sandbox app.",
        },
      },
      headers: HEADERS,
      schemas: {
        ...toComponents(REQUESTS, "input"),
        ...toComponents({ ...RESPONSES, ...errorSchemas(OPERATIONS), ...eventSchemas() }, "output"),
      },
    },
  };
}

function pathsOf(operations: readonly Operation[]): JsonObject {
  return Object.fromEntries(
    operations.map((operation) => [operation.path, { [operation.method]: operationOf(operation) }]),
  );
}

function operationOf(operation: Operation): JsonObject {
  const { id, tag, summary, description, scope, idempotent = false, answer } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: scope ? `${description}\n\nNeeds the scope \`${scope}\`.` : description,
    security: scope ? [{ apiKey: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: requestBody(operation.body) }),
    responses: {
      200: {
        description: answer.description,
        headers: headerRefs(200, idempotent),
        content: { "application/json": { schema: refTo(answer.schema), example: answer.example } },
      },
      ...errorResponses(operation),
    },
  };
}

/** With several schemas any other object is accepted, too, because each provider sends its own events. */
function requestBody({ schemas, example }: NonNullable<Operation["body"]>): JsonObject {
  const refs = schemas.map(refTo);
  const [only] = refs;
  const schema =
    refs.length === 1 ? only : { anyOf: [...refs, { type: "object", title: "Event of a provider" }] };
  return { required: true, content: { "application/json": { schema, example } } };
}
