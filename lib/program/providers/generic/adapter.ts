import { randomUUID } from "node:crypto";
import { z } from "zod";
import { fail } from "@/lib/platform/errors";
import { parseJsonObject } from "@/lib/platform/json";
import type {
  Adapter,
  Confirmation,
  ProviderEvent,
  SampleRequest,
} from "@/lib/program/providers/common/adapter";
import { IGNORED } from "@/lib/program/providers/common/confirmation";
import { linksBetween, texts } from "@/lib/program/providers/common/fields";
import { demand, isStandardSigned, standardHeaders } from "@/lib/program/providers/common/signature";

const KINDS: Record<string, Confirmation["kind"]> = {
  "referral.confirm": "confirm",
  "referral.reverse": "reverse",
  "referral.restore": "restore",
};

const NO_TIME = { error: "expected Unix milliseconds, or ISO 8601 with an offset" };

/** Unix milliseconds from 1973 on, because seconds are a smaller number, or a text with its offset from UTC. */
const timestamp = z.union(
  [
    z.number().int(NO_TIME).min(1e11, NO_TIME).max(8.64e15, NO_TIME),
    z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
  ],
  NO_TIME,
);

const occurredAt = timestamp
  .nullable()
  .default(null)
  .meta({ description: "When it happened: Unix milliseconds, or ISO 8601 with an offset." });

/** A purchase, a refund, or a reversed refund. */
export const genericEvent = z.object({
  app_user_id: z.string().min(1).meta({ description: "The `referee_uid` of the redemption." }),
  aliases: z.array(z.string()).default([]),
  environment: z.enum(["production", "sandbox"]).default("production"),
  paid: z.boolean().default(true),
  renewal: z.boolean().default(false),
  occurred_at: occurredAt,
  purchase_id: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .meta({ description: "The purchase's own id, in its refund too." }),
});

/** Two ids of one person. */
export const genericLink = z.object({
  from: z.string().min(1),
  to: z.string().min(1),
  occurred_at: occurredAt,
});

/** An app's own back end: signed as Standard Webhooks, with the body of docs/providers.md. */
export const generic: Adapter = {
  authenticate(delivery) {
    const signed = isStandardSigned(delivery, "webhook");
    demand(signed, "The webhook signature is missing, wrong or older than five minutes");
  },
  read({ headers, rawBody }) {
    const payload = parseJsonObject(rawBody);
    const { type } = payload;
    if (typeof type !== "string" || type === "") {
      return fail("VALIDATION_ERROR", "`type` must be a non-empty string", { field: "type" });
    }
    const id = headers.get("webhook-id") ?? "";
    const event = meaningOf(type, payload);
    // Other events may share their purchase's id, so theirs include the type. A paid purchase keeps the bare id, as all
    // events did in earlier versions: its retry is still a duplicate, and a retry of another stored event changes nothing.
    const { kind, paid } = event.confirmation;
    const name = kind === "confirm" && !paid ? "trial" : type;
    return { eventId: kind === "confirm" && paid ? id : `${name}:${id}`, type, payload, ...event };
  },
  secret: { from: "us", form: "standard" },
  sample,
};

const NOTHING = { uids: [], confirmation: IGNORED, occurredAt: null, purchaseId: null, links: [] };

function meaningOf(
  type: string,
  payload: Record<string, unknown>,
): Omit<ProviderEvent, "eventId" | "type" | "payload"> {
  if (type === "identity.linked") {
    const { from, to, occurred_at: occurredAt } = parse(genericLink, payload);
    return { ...NOTHING, occurredAt, links: linksBetween([from], [to]) };
  }
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (!kind) return NOTHING;
  const event = parse(genericEvent, payload);
  const { paid, renewal, environment } = event;
  return {
    uids: texts([event.app_user_id, ...event.aliases]),
    // Each purchase has its own id, so a payment under the id of a trial belongs to the trial.
    confirmation: {
      kind,
      paid,
      renewal,
      sandbox: environment === "sandbox",
      conversion: (kind === "confirm" && paid && !renewal) || undefined,
    },
    occurredAt: event.occurred_at,
    purchaseId: event.purchase_id,
    links: [],
  };
}

function parse<T extends z.ZodType>(schema: T, payload: Record<string, unknown>): z.output<T> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  return fail("VALIDATION_ERROR", `\`${field}\`: ${issue?.message}`, { field });
}

const TYPES = { purchase: "referral.confirm", refund: "referral.reverse", hello: "ping" };

function sample({ kind, uid, secret, now }: SampleRequest) {
  const body = JSON.stringify({ type: TYPES[kind], app_user_id: uid, environment: "sandbox" });
  const headers = standardHeaders("webhook", `test_${randomUUID()}`, secret, now, body);
  return { headers, rawBody: new TextEncoder().encode(body) };
}
