import type { Tone } from "@/components/ui/badge";
import type { ReferrerStatus } from "@/lib/contract/referrer-list";

export const STATUS_NAME: Record<ReferrerStatus, string> = {
  active: "Active",
  paused: "Paused",
  ended: "Ended",
};

export const STATUS_TONE: Record<ReferrerStatus, Tone> = { active: "good", paused: "warn", ended: "neutral" };

export const STATUS_CHOICES = Object.entries(STATUS_NAME).map(([value, name]) => ({ value, name }));
