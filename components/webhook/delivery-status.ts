import { type StatusLooks, statusChoices } from "@/components/ui/status-badge";
import type { DeliveryStatus } from "@/lib/contract/webhook-events";

/** The label and colour of each delivery status. */
export const DELIVERY_LOOKS: StatusLooks<DeliveryStatus> = {
  pending: { label: "Pending", tone: "neutral" },
  delivered: { label: "Delivered", tone: "good" },
  failed: { label: "Failed", tone: "warn" },
  dead: { label: "Given up", tone: "bad" },
};

/** The meaning of each status. */
export const DELIVERY_HINTS: Record<DeliveryStatus, string> = {
  pending: "It is being sent, or waits for an earlier delivery about the same subject.",
  delivered: "Your server answered with a status of 200 to 299.",
  failed: "It will be retried.",
  dead: "Eight attempts failed. You can resend it.",
};

export const DELIVERY_CHOICES = statusChoices(DELIVERY_LOOKS);
