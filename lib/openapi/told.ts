import { z } from "zod";
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from "@/lib/contract/webhook-events";
import { exampleBody, WEBHOOK_PAYLOADS, webhookBody } from "@/lib/contract/webhook-payloads";
import { type JsonObject, refTo } from "./schemas";

type EventName = (typeof WEBHOOK_EVENT_NAMES)[number];

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `referral.code_assigned` as `ReferralCodeAssigned`. */
const wordOf = (name: EventName) => name.split(/[._]/).map(capital).join("");

/** Bodies of the events that are sent, by name. */
export function eventSchemas(): Record<string, z.ZodType> {
  return Object.fromEntries(
    WEBHOOK_EVENT_NAMES.map((name) => {
      const { schema } = WEBHOOK_PAYLOADS[name];
      return [`${wordOf(name)}Event`, webhookBody.extend({ type: z.literal(name), data: schema })];
    }),
  );
}

const SIGNED = [
  ["webhook-id", "Names the event, the same for every try."],
  ["webhook-timestamp", "Unix seconds of this try."],
  ["webhook-signature", "Standard Webhooks: HMAC-SHA256 of id, timestamp and body; two after a rotation."],
].map(([name, description]) => ({
  ...{ name, in: "header", required: true, description, schema: { type: "string" } },
}));

/** What the service sends to the app's own addresses, as the `webhooks` of the document. */
export function webhooksOf(): JsonObject {
  return Object.fromEntries(WEBHOOK_EVENT_NAMES.map((name) => [name, { post: sent(name) }]));
}

function sent(name: EventName): JsonObject {
  const schema = refTo(`${wordOf(name)}Event`);
  return {
    operationId: `told${wordOf(name)}`,
    tags: ["Events"],
    summary: name,
    description: WEBHOOK_EVENTS[name],
    security: [],
    parameters: SIGNED,
    requestBody: { required: true, content: { "application/json": { schema, example: exampleBody(name) } } },
    responses: {
      "2XX": { description: "Taken. The body is not read." },
      410: { description: "This address wants no more events: the endpoint is switched off." },
      "4XX": { description: "Not taken, as with every answer but 2xx: it is sent again later." },
    },
  };
}
