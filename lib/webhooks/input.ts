import { z } from "zod";
import { WEBHOOK_EVENT_NAMES } from "@/lib/contract/webhook-events";
import { parseEndpointUrl } from "@/lib/webhooks/address";

const MAX_DESCRIPTION = 200;

/** What the owner of an endpoint decides. */
export const endpointInput = z.object({
  url: z.string({ error: "url is required" }).transform(parseEndpointUrl),
  description: z
    .string()
    .trim()
    .max(MAX_DESCRIPTION, `description must be at most ${MAX_DESCRIPTION} characters`)
    .optional(),
  events: z
    .array(z.enum(WEBHOOK_EVENT_NAMES, { error: "events must be among those of the list" }), {
      error: "Choose at least one event",
    })
    .min(1, "Choose at least one event")
    .transform((names) => WEBHOOK_EVENT_NAMES.filter((name) => names.includes(name))),
});

export type EndpointInput = z.input<typeof endpointInput>;
