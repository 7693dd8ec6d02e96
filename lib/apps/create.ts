import { uuidv7 } from "uuidv7";
import { type AppInput, appInput } from "@/lib/contract/app";
import type { Db } from "@/lib/db/client";
import { apps } from "@/lib/db/schema";
import { parseInput } from "@/lib/parse-input";
import type { App } from "./record";

/** Makes an app in a workspace. Throws VALIDATION_ERROR. */
export async function createApp(db: Db, workspaceId: string, input: AppInput): Promise<App> {
  const values = { ...parseInput(appInput, input), id: uuidv7(), workspaceId };
  const [row] = await db.orm.insert(apps).values(values).returning();
  return row as App;
}
