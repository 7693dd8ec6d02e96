import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import type { Person } from "@/lib/accounts/find-person";
import type { Context, WorkspaceContext } from "@/lib/context";
import type { FormAction } from "@/lib/contract/form-state";
import type { Role } from "@/lib/contract/roles";
import { type Db, database } from "@/lib/db/client";
import { fail } from "@/lib/errors";
import { toAppError } from "@/lib/http/answer";
import { log } from "@/lib/log";
import { parseInput } from "@/lib/parse-input";
import { officeOf, roomOf } from "@/lib/session/context";
import { readForm } from "@/lib/session/form";
import { fromOurPage } from "@/lib/session/origin";
import { currentPerson } from "@/lib/session/person";

/**
 * The frame of a form that changes something: origin, form parsing, `work`, and any error as form state. Work may
 * redirect. Anything unforeseen is logged and told without its cause.
 */
export function formAction<Input, Result>(
  schema: z.ZodType<Input>,
  work: (input: Input) => Promise<Result>,
): FormAction<Result> {
  return async (_state, form) => {
    try {
      if (!fromOurPage(await headers())) fail("FORBIDDEN", "This form was not sent from a page of this site");
      return { ok: { result: await work(parseInput(schema, readForm(form))) } };
    } catch (thrown) {
      unstable_rethrow(thrown);
      const error = toAppError(thrown);
      if (error.status >= 500) log().error({ err: error.cause ?? error }, "a dashboard action failed");
      return { error: { message: error.message, field: error.field } };
    }
  };
}

/** A form of someone who is signed in. What it changed is shown at once. */
export function personAction<Input, Result>(
  schema: z.ZodType<Input>,
  work: (db: Db, person: Person, input: Input) => Promise<Result>,
): FormAction<Result> {
  return formAction(schema, async (input) => {
    const result = await work(database(), await currentPerson(), input);
    revalidatePath("/dashboard", "layout");
    return result;
  });
}

/** A form within a workspace: session, membership and at least the role `needed`, then the verb. */
export function workspaceAction<Input extends { workspaceId: string }, Result>(
  needed: Role,
  schema: z.ZodType<Input>,
  verb: (ctx: WorkspaceContext, input: Input) => Promise<Result>,
): FormAction<Result> {
  return personAction(schema, async (_db, person, input) =>
    verb(await officeOf(person, input.workspaceId, needed), input),
  );
}

/**
 * A form within an app: session, membership and at least the role `needed`, then the verb. The form's `appId` names
 * the app; another workspace's is NOT_FOUND.
 */
export function dashboardAction<Input extends { appId: string }, Result>(
  needed: Role,
  schema: z.ZodType<Input>,
  verb: (ctx: Context, input: Input) => Promise<Result>,
): FormAction<Result> {
  return personAction(schema, async (_db, person, input) => {
    const { ctx } = await roomOf(person, input.appId, needed);
    return verb(ctx, input);
  });
}
