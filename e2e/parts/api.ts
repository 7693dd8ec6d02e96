import type { APIRequestContext, APIResponse } from "playwright/test";
import { uuidv7 } from "uuidv7";

/** Calls the API with a key, as an app does. */
export function callApi(
  request: APIRequestContext,
  key: string,
  path: string,
  data: object,
): Promise<APIResponse> {
  return request.post(`/api/${path}`, { headers: { "x-api-key": key }, data });
}

interface EventOptions {
  /** A repeated id is a duplicate of the event. */
  id?: string;
  type?: string;
}

/** Sends a RevenueCat event about a sandbox purchase of an end user. */
export function sendRevenueCatEvent(
  request: APIRequestContext,
  { url, authorization }: { url: string; authorization: string },
  uid: string,
  { id = uuidv7(), type = "INITIAL_PURCHASE" }: EventOptions = {},
): Promise<APIResponse> {
  const event = {
    id,
    type,
    app_user_id: uid,
    store: "APP_STORE",
    environment: "SANDBOX",
    period_type: "NORMAL",
    event_timestamp_ms: Date.now(),
  };
  const data = { api_version: "1.0", event };
  return request.post(new URL(url).pathname, { headers: { authorization }, data });
}
