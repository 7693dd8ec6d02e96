import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { fail } from "@/lib/errors";
import { parseJsonObject } from "@/lib/json";
import type { Adapter, Confirmation, Delivery } from "@/lib/providers/adapter";
import { genericSample } from "@/lib/providers/generic-sample";
import { asBuffer, isRecent, sameText } from "@/lib/providers/signature";

const KINDS: Record<string, Confirmation["kind"]> = {
  "referral.confirm": "confirm",
  "referral.reverse": "reverse",
  "referral.restore": "restore",
};

const known = z.object({
  app_user_id: z.string().min(1),
  aliases: z.array(z.string()).default([]),
  environment: z.enum(["production", "sandbox"]).default("production"),
  paid: z.boolean().default(true),
  renewal: z.boolean().default(false),
});

/** Anybody's own back end: signed as Standard Webhooks, with a body of ours (docs/providers.md). */
export const generic: Adapter = {
  authenticate(delivery) {
    if (!isSigned(delivery)) {
      fail("UNAUTHORIZED", "The webhook signature is missing, wrong or older than five minutes");
    }
  },
  read({ headers, rawBody }) {
    const payload = parseJsonObject(rawBody);
    const { type } = payload;
    if (typeof type !== "string" || type === "") {
      return fail("VALIDATION_ERROR", "`type` must be a text that is not empty", { field: "type" });
    }
    const eventId = headers.get("webhook-id") ?? "";
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
    if (!kind) return { eventId, type, uids: [], confirmation: IGNORED, payload };
    const event = parse(payload);
    const { paid, renewal, environment } = event;
    const uids = [...new Set([event.app_user_id, ...event.aliases])];
    const confirmation = { kind, paid, renewal, sandbox: environment === "sandbox" };
    return { eventId, type, uids, confirmation, payload };
  },
  makeSecret: () => `whsec_${randomBytes(32).toString("base64")}`,
  sample: genericSample,
};

const IGNORED: Confirmation = { kind: "ignore", paid: false, renewal: false, sandbox: false };

function parse(payload: Record<string, unknown>): z.output<typeof known> {
  const parsed = known.safeParse(payload);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  return fail("VALIDATION_ERROR", `\`${field}\`: ${issue?.message}`, { field });
}

/** The library's own `verify` reads the clock itself; its `sign` is what makes the two ends agree. */
function isSigned({ headers, rawBody, secret, now }: Delivery): boolean {
  const id = headers.get("webhook-id") ?? "";
  const time = headers.get("webhook-timestamp") ?? "";
  if (id === "" || !isRecent(time, now)) return false;
  const expected = new Webhook(secret).sign(id, new Date(Number(time) * 1000), asBuffer(rawBody));
  const given = (headers.get("webhook-signature") ?? "").split(" ");
  return given.some((signature) => sameText(signature, expected));
}
