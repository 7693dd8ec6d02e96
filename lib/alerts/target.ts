import { z } from "zod";
import type { ChannelType } from "@/lib/contract/alerts";
import { AppError, fail } from "@/lib/errors";
import { parseEndpointUrl } from "@/lib/webhooks/address";

const mail = z.email().max(254);

/** Letters of an address that are shown: enough to tell two apart, too few to post to. */
const SHOWN = 4;

function parseAddress(given: string): string {
  try {
    return parseEndpointUrl(given);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return fail("VALIDATION_ERROR", error.message.replace(/^url /, "target "), { field: "target" });
  }
}

/** Where a channel leads, as it is stored. Throws VALIDATION_ERROR for `target`. */
export function parseTarget(type: ChannelType, given: string): string {
  if (type !== "mail") return parseAddress(given);
  const address = given.trim();
  if (mail.safeParse(address).success) return address;
  return fail("VALIDATION_ERROR", "target must be a mail address", { field: "target" });
}

/** A target as a page may show it: whoever has the whole address of an incoming webhook may write there. */
export function maskedTarget(type: ChannelType, target: string): string {
  return type === "mail" ? target : `${new URL(target).host}/…${target.slice(-SHOWN)}`;
}
