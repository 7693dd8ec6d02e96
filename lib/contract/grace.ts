/** Seconds during which a replaced key or secret keeps working. */
export const GRACE_SECONDS = { now: 0, "1h": 3_600, "24h": 86_400, "7d": 604_800 } as const;

export type Grace = keyof typeof GRACE_SECONDS;

export const GRACES = ["now", "1h", "24h", "7d"] as const satisfies readonly Grace[];

/** The periods as choices of a form. */
export const GRACE_CHOICES: readonly { value: Grace; name: string }[] = [
  { value: "now", name: "Stops at once" },
  { value: "1h", name: "Works for 1 more hour" },
  { value: "24h", name: "Works for 24 more hours" },
  { value: "7d", name: "Works for 7 more days" },
];

/** The effect of another replacement on a secret that still works beside the current one; empty without one. */
export function endOfFormer(formerUntil: Date | null): string {
  if (!formerUntil || formerUntil.getTime() <= Date.now()) return "";
  return " The secret before the current one, which still works, stops at once.";
}
