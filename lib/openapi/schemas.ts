import { z } from "zod";
import { claimedReward, claimRequest, claimResponse } from "@/lib/contract/claim";
import { confirmationResponse } from "@/lib/contract/confirmation";
import { healthResponse } from "@/lib/contract/health";
import { redeemRequest, redeemResponse } from "@/lib/contract/redeem";
import { referrerRequest, referrerResponse } from "@/lib/contract/referrer";
import {
  deliveriesResponse,
  deliveryResponse,
  webhookResponse,
  webhooksResponse,
} from "@/lib/contract/webhooks";
import { genericEvent, genericLink } from "@/lib/providers/generic";

/** An object of JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
export type JsonObject = { [key: string]: unknown };

/** Bodies as they are sent; the schemas are the ones that the routes validate by. */
export const REQUESTS = {
  ReferrerRequest: referrerRequest,
  ClaimRequest: claimRequest,
  RedeemRequest: redeemRequest,
  PurchaseEvent: genericEvent.extend({
    type: z.enum(["referral.confirm", "referral.reverse", "referral.restore"]),
  }),
  IdentityLinkedEvent: genericLink.extend({ type: z.literal("identity.linked") }),
};

/** Bodies as they are answered. */
export const RESPONSES = {
  Referrer: referrerResponse,
  ClaimedReward: claimedReward,
  Claim: claimResponse,
  Redemption: redeemResponse,
  Webhook: webhookResponse,
  WebhookList: webhooksResponse,
  Delivery: deliveryResponse,
  DeliveryList: deliveriesResponse,
  Confirmation: confirmationResponse,
  Health: healthResponse,
};

export type RequestName = keyof typeof REQUESTS;
export type ResponseName = keyof typeof RESPONSES;

const uri = (name: string) => `#/components/schemas/${name}`;

/** A reference to a schema among the components. */
export const refTo = (name: string) => ({ $ref: uri(name) });

/** Named schemas as components that refer to each other; `io` is the side of a transform that is described. */
export function toComponents(
  schemas: Record<string, z.ZodType>,
  io: "input" | "output",
): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const { schemas: made } = z.toJSONSchema(registry, { io, uri, override: loosen });
  const bare = ({ $schema: _, $id: __, ...schema }: JsonObject) => schema;
  return Object.fromEntries(Object.entries(made).map(([id, schema]) => [id, bare(schema)]));
}

/** One schema by itself. */
export function toSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, override: loosen });
  return made;
}

/** New fields may come, so objects are open; a format says what its long pattern says; a whole number has no bounds. */
function loosen({ jsonSchema: schema }: { jsonSchema: JsonObject }): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // What a query says is text; the schema tells what it stands for.
  if (schema.type === "integer" && typeof schema.default === "string")
    schema.default = Number(schema.default);
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
