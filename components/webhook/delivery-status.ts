import { type StatusLooks, statusChoices } from "@/components/ui/status-badge";
import type { DeliveryProgress, DeliveryStatus, DeliveryView } from "@/lib/contract/webhook-events";

/** The label and colour of each delivery status. */
export const DELIVERY_LOOKS: StatusLooks<DeliveryStatus> = {
  pending: { label: "Pending", tone: "neutral" },
  delivered: { label: "Delivered", tone: "good" },
  failed: { label: "Failed", tone: "warn" },
  dead: { label: "Given up", tone: "bad" },
};

const ENDED: Partial<Record<DeliveryStatus, string>> = {
  delivered: "Your server answered with a status of 200 to 299.",
  dead: "Eight attempts failed. You can resend it.",
};

const PROGRESS: Record<DeliveryProgress, string> = {
  sending: "Your server is receiving it now.",
  queued: "It is the next to be sent.",
  late: "It should have been sent more than a minute ago. Contact the operator of this service.",
  endpoint: "It is waiting for the endpoint, which is busy, slowed down or disabled.",
  retry: "It will be retried.",
  earlier: "It is waiting for an earlier delivery about the same subject.",
};

/** The state of a delivery as one sentence. */
export const deliveryHint = ({ status, progress }: DeliveryView): string =>
  (progress ? PROGRESS[progress] : ENDED[status]) ?? "";

export const DELIVERY_CHOICES = statusChoices(DELIVERY_LOOKS);
