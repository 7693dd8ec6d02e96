import { env } from "@/lib/env";
import { HEADERS, headersOf } from "./headers";
import type { Operation } from "./operation";
import { OPERATIONS } from "./operations";
import { parametersOf } from "./parameters";
import { errorResponses, errorSchemas } from "./refusals";
import { type JsonObject, REQUESTS, RESPONSES, refTo, toComponents } from "./schemas";
import { eventSchemas, webhooksOf } from "./told";

const TAGS = [
  { name: "Referrals", description: "What your app calls: get a metacode, redeem one, claim rewards." },
  { name: "Webhooks", description: "Which of your addresses are told of events, and what was sent to them." },
  { name: "Providers", description: "Where purchases are confirmed." },
  {
    name: "Events",
    description:
      "What is sent to your addresses, signed and at least once, those of one referral in their order.",
  },
  { name: "Service", description: "How this installation is doing." },
];

const DESCRIPTION = `Referral promo codes for mobile apps: a referrer shares a metacode, a friend redeems it for a code of
the App Store or Google Play, and confirmed friends earn rewards.

Send your app's key in the header \`x-api-key\`. Bodies are JSON in UTF-8, at most 16 KiB; fields that are not known are
ignored. Answers may get new fields. Errors have one shape: branch on \`error.code\` and show \`error.message\` to
nobody but developers.`;

/** The reference of the API as an OpenAPI 3.1 document, made of the schemas that the routes validate by. */
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
          description: "Made in the dashboard, shown once: `mc_live_` or, for a sandbox app, `mc_test_`.",
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
        headers: headersOf(200, idempotent),
        content: { "application/json": { schema: refTo(answer.schema), example: answer.example } },
      },
      ...errorResponses(operation),
    },
  };
}

/** Where several are named, others are taken too: providers send what they like. */
function requestBody({ schemas, example }: NonNullable<Operation["body"]>): JsonObject {
  const refs = schemas.map(refTo);
  const [only] = refs;
  const schema =
    refs.length === 1 ? only : { anyOf: [...refs, { type: "object", title: "Event of a provider" }] };
  return { required: true, content: { "application/json": { schema, example } } };
}
