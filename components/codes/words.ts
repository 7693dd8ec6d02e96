import type { CodeStatus } from "@/lib/contract/batch";
import type { Platform } from "@/lib/contract/fields";

export const PLATFORM_NAME: Record<Platform, string> = { ios: "iOS", android: "Android" };

export const USE_NAME = { referee: "For referees", reward: "For rewards" } as const;

export const STATUS_NAME: Record<CodeStatus, string> = {
  available: "Free",
  assigned: "Given",
  confirmed: "Confirmed",
  void: "Void",
};

const whole = new Intl.NumberFormat("en");

/** A count with its thousands parted. */
export const counted = (count: number): string => whole.format(count);

/** "1 code", "1,000 codes". */
export const codesOf = (count: number): string => `${counted(count)} ${count === 1 ? "code" : "codes"}`;

/** "about 12 days", "less than a day". */
export function daysOf(days: number): string {
  if (days < 1) return "Less than a day";
  const rounded = Math.floor(days);
  return `${counted(rounded)} ${rounded === 1 ? "day" : "days"}`;
}
