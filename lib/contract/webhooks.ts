import { z } from "zod";

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;

/** Any text: a malformed id counts as unknown (404), not as an error in the request. */
const endpointId = z.string().meta({ description: "Id of a webhook endpoint." });

const LIMIT_RULE = `limit must be a whole number from 1 to ${MAX_LIMIT}`;

const limitField = z
  .string()
  .default(String(DEFAULT_LIMIT))
  .refine((text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_LIMIT, { error: LIMIT_RULE })
  .transform(Number)
  .meta({
    type: "integer",
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: "Deliveries in a page.",
  });

/** The last id of a page, in an opaque form. */
export function encodeDeliveryCursor(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}

const UUID_DIGITS = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

function decodeDeliveryCursor(cursor: string): string | undefined {
  const parts = UUID_DIGITS.exec(Buffer.from(cursor, "base64url").toString("hex"));
  const id = parts?.slice(1).join("-");
  return id && encodeDeliveryCursor(id) === cursor ? id : undefined;
}

const cursorField = z
  .string()
  .transform((text, ctx) => {
    const id = decodeDeliveryCursor(text);
    if (id) return id;
    ctx.addIssue({ code: "custom", message: "cursor must be the next_cursor of an earlier page" });
    return z.NEVER;
  })
  .meta({ description: "`next_cursor` of the previous page." });

/** `GET /webhooks`. */
export const webhooksRequest = z.object({});

/** `GET /webhooks/<id>`. */
export const webhookRequest = z.object({ id: endpointId });

/** `GET /webhooks/<id>/deliveries?cursor=&limit=`. */
export const deliveriesRequest = z
  .object({ id: endpointId, limit: limitField, cursor: cursorField.optional() })
  .transform(({ id, limit, cursor }) => ({ id, limit, before: cursor }));

/** A webhook endpoint without its secret. */
export const webhookResponse = z.object({
  id: z.uuid(),
  url: z.url().meta({
    description: "The endpoint's address without user name, password and query, which may hold a token.",
  }),
  events: z.array(z.string()),
  enabled: z.boolean(),
  created_at: z.iso.datetime(),
});

/** One event on its way to one endpoint. */
export const deliveryResponse = z.object({
  id: z.uuid(),
  event_id: z.uuid().meta({ description: "The header `webhook-id` of its requests." }),
  event_type: z.string(),
  status: z.enum(["pending", "delivered", "failed", "dead"]).meta({
    description: "`pending`: not sent yet. `failed`: it will be sent again. `dead`: given up.",
  }),
  attempts: z.number().int(),
  response_status: z
    .number()
    .int()
    .nullable()
    .meta({ description: "The status of your last response, or null without one." }),
  created_at: z.iso.datetime(),
  delivered_at: z.iso.datetime().nullable(),
});

export const webhooksResponse = z.object({
  data: z.array(webhookResponse),
  next_cursor: z.string().nullable(),
});

export const deliveriesResponse = z.object({
  data: z.array(deliveryResponse),
  next_cursor: z.string().nullable(),
});

export type DeliveriesInput = z.output<typeof deliveriesRequest>;
export type WebhookResponse = z.output<typeof webhookResponse>;
export type WebhooksResponse = z.output<typeof webhooksResponse>;
export type DeliveryResponse = z.output<typeof deliveryResponse>;
export type DeliveriesResponse = z.output<typeof deliveriesResponse>;
