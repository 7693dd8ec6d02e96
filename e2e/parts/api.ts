import type { APIRequestContext, APIResponse } from "playwright/test";
import { uuidv7 } from "uuidv7";

/** Asks the API with a key, as an app does. */
export function ask(
  request: APIRequestContext,
  key: string,
  path: string,
  data: object,
): Promise<APIResponse> {
  return request.post(`/api/${path}`, { headers: { "x-api-key": key }, data });
}

interface Told {
  /** The same id is the same event. */
  id?: string;
  type?: string;
}

/** RevenueCat tells of a person's purchase in the store's sandbox, or of something else that happened to it. */
export function tell(
  request: APIRequestContext,
  { url, authorization }: { url: string; authorization: string },
  uid: string,
  { id = uuidv7(), type = "INITIAL_PURCHASE" }: Told = {},
): Promise<APIResponse> {
  const event = {
    ...{ id, type, app_user_id: uid, store: "APP_STORE", environment: "SANDBOX" },
    ...{ period_type: "NORMAL", event_timestamp_ms: Date.now() },
  };
  const data = { api_version: "1.0", event };
  return request.post(new URL(url).pathname, { headers: { authorization }, data });
}
