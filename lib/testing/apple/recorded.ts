import { readFileSync } from "node:fs";
import type { appleAuthority } from "@/lib/testing/apple/certificate-authority";

/** The signing time in the recorded data. */
export const AT = Date.UTC(2026, 0, 15);

/** Fields that replace the recorded ones. */
export interface AppleChanges {
  transaction?: object;
  data?: object;
  claims?: object;
}

/** A file of Apple's own library: unsigned claims, or a whole notification. */
export const appleRecorded = (name: string) =>
  JSON.parse(readFileSync(`lib/program/providers/fixtures/apple/${name}.json`, "utf8"));

/** The recorded claims, with the recorded transaction signed in them, for production, because "LocalTesting" is never signed. */
export function appleClaims(
  { jws }: Pick<ReturnType<typeof appleAuthority>, "jws">,
  { transaction = {}, data = {}, claims = {} }: AppleChanges = {},
) {
  const notification = appleRecorded("decoded_subscribed_initial_buy");
  const bought = { ...appleRecorded("decoded_transaction_info"), environment: "Production", ...transaction };
  const { signedRenewalInfo: _, ...about } = notification.data;
  const signedTransactionInfo = jws(bought);
  return {
    ...notification,
    signedDate: AT,
    ...claims,
    data: { ...about, environment: "Production", signedTransactionInfo, ...data },
  };
}
