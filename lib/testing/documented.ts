import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { ApiReply } from "@/lib/testing/client";
import { openApiDocument } from "@/lib/web/openapi/document";

interface Described {
  headers?: Record<string, { $ref: string }>;
}

interface Description {
  paths: Record<string, Record<string, { responses: Record<string, Described> }>>;
  components: { schemas: Record<string, Record<string, unknown>>; headers: Record<string, Header> };
}

interface Header {
  required?: boolean;
  schema: { type: string };
}

interface Reference {
  document: Description;
  ajv: Ajv2020;
  /** Paths of the document with what they match. */
  paths: [path: string, pattern: RegExp][];
}

let reference: Reference | undefined;

/** The document, made strict: an undocumented field in a response is an error, too. */
function load(): Reference {
  if (reference) return reference;
  const document = openApiDocument("http://localhost:3000") as unknown as Description;
  for (const schema of Object.values(document.components.schemas)) close(schema);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, "api");
  const paths = Object.keys(document.paths).map((path): [string, RegExp] => [
    path,
    new RegExp(`^/api${path.replace(/\{\w+\}/g, "[^/]+")}/?$`),
  ]);
  reference = { document, ajv, paths };
  return reference;
}

/** Refuses undocumented fields and error codes. A part of an `allOf` stays `open`, because it names only some of the fields. */
function close(schema: unknown, open = false): void {
  if (typeof schema !== "object" || schema === null) return;
  const object = schema as Record<string, unknown>;
  if (!open && "properties" in object && !("additionalProperties" in object))
    object.additionalProperties = false;
  if ("x-extensible-enum" in object) object.enum = object["x-extensible-enum"];
  for (const [key, part] of Object.entries(object)) {
    if (key === "allOf") for (const schemaPart of part as unknown[]) close(schemaPart, true);
    else close(part);
  }
}

const pointer = (part: string) => part.replaceAll("~", "~0").replaceAll("/", "~1");

/** The validator of a body; undefined when the document has none. */
function validatorOf(...parts: string[]): ValidateFunction | undefined {
  const place = [...parts, "content", "application/json", "schema"].map(pointer).join("/");
  return load().ajv.getSchema(`api#/paths/${encodeURI(place)}`);
}

/** Statuses for a method that a path lacks: malformed requests are refused before routing. */
const UNROUTED = new Set([400, 405]);

/** The difference between a real response and the document; undefined when there is none. */
function complaintOf(method: string, url: string, reply: ApiReply): string | undefined {
  const { document, paths } = load();
  const pathname = new URL(url, "http://localhost:3000").pathname;
  const path = paths.find(([, pattern]) => pattern.test(pathname))?.[0];
  // HEAD and OPTIONS have no body to describe; unknown paths belong to no operation.
  if (!path || method === "HEAD" || method === "OPTIONS") return undefined;
  const methods = document.paths[path] ?? {};
  const requested = method.toLowerCase();
  const known = requested in methods ? requested : Object.keys(methods)[0];
  const described = methods[known ?? ""]?.responses[String(reply.status)];
  const name = `${method} ${path} ${reply.status}`;
  if (!known || !described || (known !== requested && !UNROUTED.has(reply.status)))
    return `${name} is not documented`;
  const validate = validatorOf(path, known, "responses", String(reply.status));
  if (!validate?.(reply.body)) return `${name}: ${JSON.stringify(validate?.errors ?? "has no body")}`;
  return wrongHeader(described, reply.headers, name);
}

const DOCUMENTED_HEADERS = /^(x-ratelimit-|x-request-id|retry-after|idempotency-|allow$)/;

function wrongHeader({ headers = {} }: Described, received: Headers, name: string): string | undefined {
  const { components } = load().document;
  for (const header of Object.keys(headers)) {
    const value = received.get(header);
    const { required, schema } = components.headers[header] ?? { schema: { type: "" } };
    if (value === null && required) return `${name} lacks the header ${header}`;
    if (value !== null && schema.type === "integer" && !/^\d+$/.test(value))
      return `${name}: ${header} ${value}`;
  }
  const documented = new Set(Object.keys(headers).map((header) => header.toLowerCase()));
  const more = [...received.keys()].filter(
    (header) => DOCUMENTED_HEADERS.test(header) && !documented.has(header),
  );
  return more.length > 0 ? `${name} has the undocumented headers ${more}` : undefined;
}

/** Throws when a response is not as documented. */
export function expectDocumented(method: string, url: string, reply: ApiReply): ApiReply {
  const complaint = complaintOf(method, url, reply);
  if (complaint) throw new Error(complaint);
  return reply;
}
