import { PROVIDERS } from "@/lib/program/providers/registry";
import type { Operation } from "./operation";
import { type JsonObject, toSchema } from "./schemas";

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "(+) A text that you generate for each new request and repeat with its retries. The same key and body within 24 hours get the first response again; another body is a conflict.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
  example: "8f14e45f-ceea-467f-a8b5-1d2c3e4f5a6b",
};

const ACCEPT_LANGUAGE = {
  name: "Accept-Language",
  in: "header",
  description:
    "The languages of the end user, as their phone has them. The texts for end users are in the nearest of the landing page's 36 languages, with the owner's own texts; English without the header, for `*` and for a language that is not among them. Messages of errors stay English.",
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
export function parametersOf(operation: Operation): JsonObject[] {
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
