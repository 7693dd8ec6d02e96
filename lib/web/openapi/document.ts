import { env } from "@/lib/platform/env";
import { eventSchemas, webhooksOf } from "./events";
import { HEADERS, headerRefs } from "./headers";
import type { Operation } from "./operation";
import { OPERATIONS } from "./operations";
import { parametersOf } from "./parameters";
import { errorResponses, errorSchemas } from "./refusals";
import { type JsonObject, REQUESTS, RESPONSES, refTo, toComponents } from "./schemas";

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
Responses may get new fields. All errors have the same shape: branch on \`error.code\`, and show \`error.message\` to
developers only.`;

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
