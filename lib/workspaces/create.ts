import { uuidv7 } from "uuidv7";
import type { Plan } from "@/lib/contract/plan";
import type { Db } from "@/lib/db/client";
import { workspaces } from "@/lib/db/schema";
import { env } from "@/lib/env";

interface NewWorkspace {
  name: string;
  /** `DEFAULT_PLAN` where the operator names none. */
  plan?: Plan;
}

/** Makes an empty workspace; people join it through memberships. */
export async function createWorkspace(db: Db, input: NewWorkspace): Promise<{ id: string; plan: Plan }> {
  const row = { id: uuidv7(), name: input.name, plan: input.plan ?? env().DEFAULT_PLAN };
  await db.orm.insert(workspaces).values(row);
  return { id: row.id, plan: row.plan };
}
