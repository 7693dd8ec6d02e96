import { z } from "zod";
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from "@/lib/contract/webhook-events";
import { exampleBody, WEBHOOK_PAYLOADS, webhookBody } from "@/lib/contract/webhook-payloads";
import { capital, type JsonObject, refTo } from "./schemas";

type EventName = (typeof WEBHOOK_EVENT_NAMES)[number];

/** `referral.code_assigned` as `ReferralCodeAssigned`. */
const pascalCase = (name: EventName) => name.split(/[._]/).map(capital).join("");

/** Bodies of the webhook events, by name. */
export function eventSchemas(): Record<string, z.ZodType> {
  return Object.fromEntries(
    WEBHOOK_EVENT_NAMES.map((name) => {
      const { schema } = WEBHOOK_PAYLOADS[name];
      return [`${pascalCase(name)}Event`, webhookBody.extend({ type: z.literal(name), data: schema })];
    }),
  );
}

const SIGNED = [
  ["webhook-id", "Identifies the event; the same for every attempt."],
  ["webhook-timestamp", "Unix seconds of this attempt."],
  ["webhook-signature", "Standard Webhooks: HMAC-SHA256 of id, timestamp and body; two after a rotation."],
].map(([name, description]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
}));

/** The requests that the service sends to webhook endpoints, as `webhooks` of the document. */
export function webhooksOf(): JsonObject {
  return Object.fromEntries(WEBHOOK_EVENT_NAMES.map((name) => [name, { post: webhookOf(name) }]));
}

function webhookOf(name: EventName): JsonObject {
  const schema = refTo(`${pascalCase(name)}Event`);
  return {
    operationId: `send${pascalCase(name)}`,
    tags: ["Events"],
    summary: name,
    description: WEBHOOK_EVENTS[name],
    security: [],
    parameters: SIGNED,
    requestBody: { required: true, content: { "application/json": { schema, example: exampleBody(name) } } },
    responses: {
      "2XX": { description: "Accepted. The dashboard shows the beginning of your response." },
      410: { description: "You want no more events: the endpoint is disabled." },
      "4XX": { description: "Not accepted, like every status but 2xx: the event is sent again later." },
    },
  };
}
