/** What a receiver does with the secret. */
export const SIGNING_STEPS: readonly string[] = [
  "Store the secret on your server.",
  "Check webhook-id, webhook-timestamp and webhook-signature with any Standard Webhooks library, over the body as it came.",
  "Answer with a status of 200 to 299. Remember webhook-id: the same event may come more than once.",
];

/** Said where deliveries would be listed. */
export const NOT_SENT =
  "This version keeps endpoints, but does not send anything to them yet. What you add here is used as soon as sending is part of it.";
