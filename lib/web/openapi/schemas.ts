import { z } from "zod";
import { claimedReward, claimRequest, claimResponse } from "@/lib/contract/claim";
import { platformField } from "@/lib/contract/fields";
import { VERDICTS } from "@/lib/contract/provider";
import { redeemRequest, redeemResponse } from "@/lib/contract/redeem";
import { platformProgress, referrerCounts, referrerRequest, referrerResponse } from "@/lib/contract/referrer";
import {
  deliveriesResponse,
  deliveryResponse,
  webhookResponse,
  webhooksResponse,
} from "@/lib/contract/webhooks";
import { genericEvent, genericLink } from "@/lib/program/providers/generic/adapter";

/** A text with its first letter as a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** An object of JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
export type JsonObject = { [key: string]: unknown };

/** Request bodies, by the schemas that validate the routes, and their parts. */
export const REQUESTS = {
  Platform: platformField,
  ReferrerRequest: referrerRequest,
  ClaimRequest: claimRequest,
  RedeemRequest: redeemRequest,
  PurchaseEvent: genericEvent.extend({
    type: z.enum(["referral.confirm", "referral.reverse", "referral.restore"]),
  }),
  IdentityLinkedEvent: genericLink.extend({ type: z.literal("identity.linked") }),
};

/** Response of `GET /ready` and `GET /live`. */
const readyResponse = z.object({ status: z.literal("ok") });

/** Response of `GET /health`. */
const healthResponse = z.object({
  status: z.enum(["ok", "degraded"]).meta({
    description:
      "`degraded`: background work has stalled, the database refuses writes, a clock is wrong, or secrets cannot be opened.",
  }),
  late: z
    .array(
      z.object({
        name: z.string().meta({ description: "The queue or the round." }),
        seconds: z.int().meta({ description: "Seconds for which its oldest work has been due." }),
      }),
    )
    .optional()
    .meta({ description: "The work that has been due for more than a minute." }),
  database: z.string().optional().meta({
    description: "Why the database answers but refuses writes, such as a full disk.",
  }),
  clock: z.int().optional().meta({
    description:
      "Seconds by which the clock of this machine is ahead of the database's, or, negative, behind it; left out below a minute.",
  }),
  secrets: z
    .int()
    .optional()
    .meta({ description: "The number of stored secrets in use that no key of the process opens." }),
});

/** Response to a provider's delivery, without outcomes that come later (dismissed) or are errors (an unreadable event is a 400). */
const confirmationResponse = z.object({
  status: z
    .enum([...VERDICTS, "duplicate"])
    .exclude(["dismissed", "received", "unreadable"])
    .meta({ description: "The outcome of the event." }),
  matched: z.boolean().meta({ description: "Whether the event belongs to a referral of the app." }),
});

/** Response bodies and their parts. */
export const RESPONSES = {
  Platform: platformField,
  Progress: platformProgress,
  Stats: referrerCounts,
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
  Ready: readyResponse,
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

/** A single schema, without components. */
export function toSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, override: loosen });
  return made;
}

/** Opens objects for future fields, and drops patterns that a format implies and the bounds of safe integers. */
function loosen({ jsonSchema: schema }: { jsonSchema: JsonObject }): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // A query parameter is text; the schema states the type that it stands for.
  if (schema.type === "integer" && typeof schema.default === "string")
    schema.default = Number(schema.default);
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
