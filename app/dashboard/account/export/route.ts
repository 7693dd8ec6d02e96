import { ACCOUNT_EVENT_COLUMNS, exportAccountEvents } from "@/lib/tenants/accounts/events";
import { csvResponse } from "@/lib/web/http/csv";
import { userDownload } from "@/lib/web/session/download";

/** The security log of the signed-in user as a file. */
export const GET = userDownload(async (db, { id }) =>
  csvResponse("security-log.csv", ACCOUNT_EVENT_COLUMNS, exportAccountEvents(db, id)),
);
