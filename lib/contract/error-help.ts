/** The cause and the fix of a refused request, for the developer who sends it. */
export interface ErrorHelp {
  /** The cause. */
  why: string;
  /** The fix. */
  todo: string;
  /** The section of the app for the fix; the path is below that of the app. */
  section?: { path: string; name: string };
}

const CODES = { path: "/codes", name: "Codes" };
const CAMPAIGNS = { path: "/campaigns", name: "Campaigns" };
const REFERRERS = { path: "/referrers", name: "Referrers" };
const REFERRALS = { path: "/referrals", name: "Referrals" };
const KEYS = { path: "/keys", name: "API keys" };
const PROVIDERS = { path: "/providers", name: "Providers" };

/** Every error code that a listed request can end with. */
export const ERROR_HELP: Readonly<Record<string, ErrorHelp>> = {
  VALIDATION_ERROR: {
    why: "A field is missing or has a value that is not allowed. The message names the field and what it expects.",
    todo: "Correct that field in the code that sends the request. Sending the same again will not help.",
  },
  UNAUTHORIZED: {
    why: "The key was revoked or has expired, or a provider’s delivery did not carry the connection’s secret.",
    todo: "Replace the key where it is still used. For a provider, enter the connection’s secret at the provider again.",
    section: KEYS,
  },
  FORBIDDEN: {
    why: "The key is real, but it does not have the scope that this endpoint needs.",
    todo: "Use a key that has the scope, or create one with it. Scopes of a key cannot be changed afterwards.",
    section: KEYS,
  },
  NOT_FOUND: {
    why: "No endpoint has this path, or this app has no such webhook, provider connection or user with a metacode. Ids of another app count as unknown.",
    todo: "Check the path and id, and that the key belongs to the right app. Call `/referrer` for a user before `/referrer-claim`.",
  },
  NO_REWARDS_AVAILABLE: {
    why: "The referrer has no reward to claim: too few referrals count (one that is held does not yet), or all were claimed, withdrawn, or beyond the budget of an ended campaign.",
    todo: "Show the claim button only while `stats.rewards_available` is above 0. Look at the referrer's progress.",
    section: REFERRERS,
  },
  METACODE_NOT_FOUND: {
    why: "No referrer of this app has this metacode, or the referrer is paused or ended. A typing mistake looks the same.",
    todo: "Search for the metacode. Let users open the link instead of typing, and ask them to check what they typed.",
    section: REFERRERS,
  },
  METHOD_NOT_ALLOWED: {
    why: "The endpoint exists, but not for this HTTP method.",
    todo: "Use the method that the response header `Allow` names.",
  },
  REQUEST_TIMEOUT: {
    why: "The request did not arrive completely in time.",
    todo: "Send it again. If it happens often, check the connection of the sender.",
  },
  ALREADY_REDEEMED: {
    why: "This referee already has a code of this campaign, and each referee gets only one.",
    todo: "Nothing is wrong. Show the user the first code: a retry within the app's retry window returns it as `redemption`.",
    section: REFERRALS,
  },
  CAMPAIGN_INACTIVE: {
    why: "The referrer's campaign is not running: it is a draft, paused, ended or outside its dates, there is none, or it has assigned all codes of its budget. If the budget is the cause, the message says so.",
    todo: "Activate the campaign, check its dates or raise its budget, and tell users in your app when an offer has ended.",
    section: CAMPAIGNS,
  },
  CONFLICT: {
    why: "The request conflicts with existing data: a user used their own metacode, a fraud rule of the app or of the campaign refused it, or an Idempotency-Key was used for another request or for one that is still running. The message says which.",
    todo: "Follow the message. Use a new Idempotency-Key for each new request, and the same one only for its retries.",
  },
  PAYLOAD_TOO_LARGE: {
    why: "The body is larger than 16 KiB, or 256 KiB for a provider's delivery.",
    todo: "Send less; `metadata` is the usual cause and may be up to 4 KiB.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    why: "The body is not sent as plain JSON.",
    todo: "Send the header `Content-Type: application/json`, and do not compress the body.",
  },
  EXPECTATION_FAILED: {
    why: "The request had an `Expect` header that this server does not support.",
    todo: "Switch that header off in your HTTP client.",
  },
  RATE_LIMITED: {
    why: "Too many requests: the workspace's monthly quota or the key's daily budget is used up, the key sent requests too fast, or too many were invalid, named unknown metacodes or came from one address.",
    todo: "Wait for as long as the response header `Retry-After` says. The message says which limit was reached; a larger plan raises the quota, and an admin can raise or lift the limits of a key.",
  },
  HEADERS_TOO_LARGE: {
    why: "The headers of the request are larger than the server accepts.",
    todo: "Send fewer or shorter headers; cookies do not belong on the API.",
  },
  INTERNAL_ERROR: {
    why: "Something broke on this server. The request itself is fine.",
    todo: "Try again. If the error persists, send the request id to the operator of this server: the log has the cause.",
  },
  NO_CODES_AVAILABLE: {
    why: "The pool for this platform has no free code that is valid for long enough, or only codes of offers that this person has had; or the campaign has spent its budget for rewards. A referee waits in line for 30 days. Where the message says that the redemption waits for a review, it is beyond a limit of the app. Where the message names the platform, the campaign does not run there.",
    todo: "Import codes, also of another offer. New codes are set aside for the first in line, and the same user can then try again. Add a missing platform to the campaign, or raise its budget. Approve or dismiss redemptions that wait for a review under Referrals.",
    section: CODES,
  },
  SERVICE_UNAVAILABLE: {
    why: "The database did not answer in time. Either nothing was changed, or a retry returns the result.",
    todo: "Try again after `Retry-After` seconds, with the same Idempotency-Key. It does not count against the quota.",
  },
};

/** A delivery whose secret or signature is wrong. */
const REFUSED_DELIVERY: ErrorHelp = {
  why: "The provider’s delivery did not carry the connection’s secret.",
  todo: "Ask an admin to enter the connection’s secret at the provider again, then have the provider resend the delivery.",
  section: PROVIDERS,
};

/** Deliveries whose bodies are not read, by error code. */
export const REFUSED_BODY: Readonly<Record<string, ErrorHelp>> = {
  PAYLOAD_TOO_LARGE: {
    why: "The provider’s delivery is larger than 256 KiB.",
    todo: "Make the sender include less in each event, then resend the delivery.",
    section: PROVIDERS,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    why: "The provider’s delivery is compressed.",
    todo: "Switch off compression in the sender, such as your server or a proxy, then resend the delivery.",
    section: PROVIDERS,
  },
};

/** The cause and the fix of a request to a path that ended with this code: deliveries of providers have no key. */
export const errorHelp = (code: string, path: string): ErrorHelp | undefined => {
  const ofDelivery = code === "UNAUTHORIZED" ? REFUSED_DELIVERY : REFUSED_BODY[code];
  return (path.startsWith("/api/providers/") ? ofDelivery : undefined) ?? ERROR_HELP[code];
};
