import { asc, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { RequestBuffer } from "@/lib/outward/request-log/buffer";
import type { LoggedRequest } from "@/lib/outward/request-log/pending";
import { keyUsageDays, requestLog } from "@/lib/platform/db/schema";
import type { Tenant } from "@/lib/testing/tenant";

/** The request log of an app, oldest first. */
export const loggedRequests = ({ ctx }: Tenant) =>
  ctx.db.orm.select().from(requestLog).where(eq(requestLog.appId, ctx.app.id)).orderBy(asc(requestLog.id));

/** The use of its keys, a row per key and day. */
export const keyDays = ({ ctx }: Tenant) =>
  ctx.db.orm.select().from(keyUsageDays).where(eq(keyUsageDays.appId, ctx.app.id)).orderBy(keyUsageDays.day);

/** A request as the frame logs it. */
export const logged = (status = 200): LoggedRequest => ({
  request_id: uuidv7(),
  method: "POST",
  path: "/api/referrer",
  status,
  error: status === 200 ? undefined : "CONFLICT",
  ms: 1.25,
});

const NO_DETAILS = { message: undefined, subject: undefined };

/** Logs the given number of requests of one key, which has the id of the campaign. */
export function answerMany(buffer: RequestBuffer, tenant: Tenant, times: number, status = 200): void {
  const key = { id: tenant.campaignId, app: tenant.ctx.app };
  for (let index = 0; index < times; index += 1) buffer.add(key, logged(status), NO_DETAILS);
}
