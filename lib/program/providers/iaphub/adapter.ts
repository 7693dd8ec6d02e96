import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJsonObject } from "@/lib/platform/json";
import type { Adapter, Confirmation, SampleRequest } from "@/lib/program/providers/common/adapter";
import { IGNORED, isFree, offerShowsTheCode, storeCounts } from "@/lib/program/providers/common/confirmation";
import {
  amount,
  documentedName,
  flag,
  idOfBody,
  idText,
  isoTime,
  linksBetween,
  list,
  readFields,
  text,
  texts,
} from "@/lib/program/providers/common/fields";
import { jsonSample, testPurchase } from "@/lib/program/providers/common/sample";
import { demand, isHeaderSecret } from "@/lib/program/providers/common/signature";

const purchase = z.object({
  userId: text,
  platform: text,
  originalPurchase: idText,
  id: idText,
  isSandbox: flag,
  isRefunded: flag,
  refundReason: text,
  isFamilyShare: flag,
  isTrialConversion: flag,
  promoCode: text,
  subscriptionPeriodType: text,
  price: amount,
});

const schema = z.object({
  type: z.string().trim().min(1),
  id: text,
  createdDate: isoTime,
  oldUserId: text,
  newUserId: text,
  oldUserIds: list,
  newUserIds: list,
  fromUserId: text,
  toUserId: text,
  data: purchase.catch({}),
});

type IaphubEvent = z.output<typeof schema>;

/** IAPHUB: a fixed X-Auth-Token. */
export const iaphub: Adapter = {
  authenticate({ headers, secret }) {
    demand(isHeaderSecret(headers.get("x-auth-token"), secret), "X-Auth-Token is not this connection's");
  },
  read({ rawBody, ownNames, webPurchases }) {
    const payload = parseJsonObject(rawBody);
    const event = readFields(schema, payload, "type");
    const { type, id, data } = event;
    const name = documentedName(type, ownNames);
    return {
      // In public samples a purchase and its refund share an id, so the type is part of it.
      eventId: id ? `${type}:${id}` : idOfBody(rawBody),
      type,
      uids: texts(data.userId),
      confirmation: confirmationOf(name, event, webPurchases),
      occurredAt: event.createdDate,
      purchaseId: data.originalPurchase || data.id || null,
      links: linksOf(name, event),
      payload,
    };
  },
  secret: { from: "us", form: "header" },
  sample,
};

function linksOf(type: string, event: IaphubEvent) {
  if (type === "transfer") return linksBetween(texts(event.fromUserId), texts(event.toUserId));
  return type === "user_id_update" ? linksBetween(idsOf(event, "old"), idsOf(event, "new")) : [];
}

const idsOf = (event: IaphubEvent, side: "old" | "new") =>
  texts([event[`${side}UserId`], ...(event[`${side}UserIds`] ?? [])]);

function confirmationOf(type: string, { data }: IaphubEvent, webPurchases?: boolean): Confirmation {
  if (!storeCounts(data.platform, webPurchases) || data.isFamilyShare === true) return IGNORED;
  const isTrial = data.subscriptionPeriodType === "trial" && data.isTrialConversion !== true;
  const showsTheCode = offerShowsTheCode(data.promoCode, data.platform) || data.isTrialConversion === true;
  return {
    kind: kindOf(type, data),
    paid: !isTrial && !isFree(data.price),
    renewal: type === "subscription_renewal" && !showsTheCode,
    sandbox: data.isSandbox === true,
    conversion: data.isTrialConversion || undefined,
  };
}

/** The refund of a subscription that is still active arrives only as its end. */
function kindOf(type: string, { isRefunded, refundReason }: IaphubEvent["data"]): Confirmation["kind"] {
  if (type === "purchase" || type === "subscription_renewal") return "confirm";
  if (type === "subscription_restore") return "restore";
  // The old plan's price after a switch to another plan: public clients write subscription_replaced or subscription_replace.
  if (refundReason?.startsWith("subscription_replace")) return "ignore";
  return type === "refund" || (type === "subscription_expire" && isRefunded) ? "reverse" : "ignore";
}

const TYPES = { purchase: "purchase", refund: "refund", hello: "subscription_uncancel" };

function sample({ kind, uid, secret, now }: SampleRequest) {
  const at = new Date(now).toISOString();
  const body = {
    id: randomUUID(),
    type: TYPES[kind],
    version: "1.2.0",
    createdDate: at,
    data: {
      id: testPurchase(uid),
      userId: uid,
      platform: "ios",
      productSku: "metacode_test",
      purchaseDate: at,
      isSandbox: true,
      isRefunded: kind === "refund",
      subscriptionPeriodType: "normal",
    },
  };
  return jsonSample(body, { "x-auth-token": secret });
}
