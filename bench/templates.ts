import { readFileSync } from "node:fs";
import type { Template } from "@/bench/load/job";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";

const JSON_TYPE = { "Content-Type": "application/json" };

/** A purchase as RevenueCat reports it, by a referee with an open referral. */
function purchase(): string {
  const file = "lib/program/providers/fixtures/revenuecat/initial_purchase.json";
  const delivery = JSON.parse(readFileSync(file, "utf8"));
  const ids = {
    app_user_id: "confirm-{n}",
    original_app_user_id: "confirm-{n}",
    aliases: [],
    original_transaction_id: "purchase-{n}",
  };
  return JSON.stringify({ ...delivery, event: { ...delivery.event, ...ids, id: "event-{n}" } });
}

function post(path: string, key: string, body: object, headers: Record<string, string> = {}): Template {
  const all = { "X-Api-Key": key, ...JSON_TYPE, ...headers };
  return { method: "POST", path: `/api/${path}`, headers: all, body: JSON.stringify(body) };
}

/** A redeem with every check; `name` separates the referees of different runs. */
export function redeemTemplate(key: string, name: string): Template {
  const body = { referee_uid: `${name}-{n}`, metacode: "{slug}", platform: "ios" };
  return post("referee-redeem", key, body, { "Idempotency-Key": `${name}-{n}` });
}

/** The request as a phone set to German sends it. */
export const inGerman = (template: Template): Template => ({
  ...template,
  headers: { ...template.headers, "Accept-Language": "de-AT,de;q=0.9,en;q=0.5" },
});

/** The measured requests of a sample app, by name. */
export function templates(sample: SampleWorkspace) {
  const { api_key: key, providers } = sample;
  const { url, authorization } = providers.revenuecat;
  const browser = {
    "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15",
  };
  return {
    "/referrer (existing)": post("referrer", key, { uid: "{slug}" }),
    "/referrer (new)": post("referrer", key, { uid: "new-{n}" }),
    "/referee-redeem": redeemTemplate(key, "redeem"),
    "confirmation webhook": {
      method: "POST",
      path: new URL(url).pathname,
      headers: { Authorization: authorization, ...JSON_TYPE },
      body: purchase(),
    },
    "/referrer-claim": post(
      "referrer-claim",
      key,
      { uid: "claimer-{n}" },
      { "Idempotency-Key": "claim-{n}" },
    ),
    "/r/<slug>": { method: "GET", path: "/r/{slug}", headers: browser },
  } satisfies Record<string, Template>;
}
