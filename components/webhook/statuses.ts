import type { Tone } from "@/components/ui/badge";
import { DELIVERY_STATUSES, type DeliveryStatus } from "@/lib/contract/webhook-events";

/** What became of a delivery, in words. */
export const STATUS_WORDS: Record<DeliveryStatus, { name: string; tone: Tone; why: string }> = {
  pending: { name: "Pending", tone: "neutral", why: "It is on its way, or waits for its turn." },
  delivered: { name: "Delivered", tone: "good", why: "It was answered with a status of 200 to 299." },
  failed: { name: "Failed", tone: "warn", why: "It is tried again." },
  dead: { name: "Given up", tone: "bad", why: "Eight attempts failed. You can send it again." },
};

export const STATUS_CHOICES = DELIVERY_STATUSES.map((value) => ({ value, name: STATUS_WORDS[value].name }));
