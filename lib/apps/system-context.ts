import { uuidv7 } from "uuidv7";
import type { App } from "@/lib/apps/record";
import { appRef } from "@/lib/apps/ref";
import type { Context } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { unmetered } from "@/lib/quota/meter";

/** The service itself acting in an app. */
export function systemContext(db: Db, app: App): Context {
  const workspace = { id: app.workspaceId };
  return {
    app: appRef(app),
    workspace,
    actor: { kind: "system" },
    db,
    requestId: uuidv7(),
    meter: unmetered,
  };
}
