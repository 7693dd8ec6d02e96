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
import { type Framed, framed, type Needs } from "@/lib/session/needs";
import { fromOurPage } from "@/lib/session/origin";
import { currentPerson } from "@/lib/session/person";

type Fields = ReturnType<typeof readForm>;
type Action<Result> = Framed<FormAction<Result>>;

/**
 * The order that every action keeps: where the form came from, who sent it and what that person may do, and only then
 * what is in it, so that a refusal tells nothing of the fields. Work may redirect; any error becomes form state.
 * Anything unforeseen is logged and told without its cause.
 */
function action<Scope, Input, Result>(
  needs: Needs,
  schema: z.ZodType<Input>,
  open: (fields: Fields) => Promise<Scope>,
  work: (scope: Scope, input: Input) => Promise<Result>,
): Action<Result> {
  const run: FormAction<Result> = async (_state, form) => {
    try {
      if (!fromOurPage(await headers())) fail("FORBIDDEN", "This form was not sent from a page of this site");
      const fields = readForm(form);
      const scope = await open(fields);
      const result = await work(scope, parseInput(schema, fields));
      // Whatever a person changed is shown at once.
      if (needs.in !== "anywhere" && !needs.reads) revalidatePath("/dashboard", "layout");
      return { ok: { result } };
    } catch (thrown) {
      unstable_rethrow(thrown);
      const error = toAppError(thrown);
      if (error.status >= 500) log().error({ err: error.cause ?? error }, "a dashboard action failed");
      return { error: { message: error.message, field: error.field } };
    }
  };
  return framed({ ...needs, schema }, run);
}

/** A form of anyone, signed in or not. */
export function formAction<Input, Result>(
  schema: z.ZodType<Input>,
  work: (input: Input) => Promise<Result>,
): Action<Result> {
  const open = async () => undefined;
  return action({ in: "anywhere" }, schema, open, (_, input) => work(input));
}

/** An action as a form without state sends it, such as a lone button; its errors are not shown. */
export function plainAction<Result>(made: Action<Result>): Framed<(form: FormData) => Promise<void>> {
  return framed({ ...made.needs, silent: true }, async (form: FormData) => {
    await made({}, form);
  });
}

/** A form of someone who is signed in, about the own account. */
export function personAction<Input, Result>(
  schema: z.ZodType<Input>,
  work: (db: Db, person: Person, input: Input) => Promise<Result>,
): Action<Result> {
  return action({ in: "account" }, schema, currentPerson, (person, input) => work(database(), person, input));
}

/** A form within a workspace: session, membership and at least the role `needed`, then the verb. */
export function workspaceAction<Input extends { workspaceId: string }, Result>(
  needed: Role,
  schema: z.ZodType<Input>,
  verb: (ctx: WorkspaceContext, input: Input) => Promise<Result>,
): Action<Result> {
  const open = async ({ workspaceId }: Fields) =>
    officeOf(await currentPerson(), String(workspaceId), needed);
  return action({ in: "workspace", role: needed }, schema, open, verb);
}

/**
 * A form within an app: session, membership and at least the role `needed`, then the verb. The form's `appId` names
 * the app; another workspace's is NOT_FOUND.
 */
export function dashboardAction<Input extends { appId: string }, Result>(
  needed: Role,
  schema: z.ZodType<Input>,
  verb: (ctx: Context, input: Input) => Promise<Result>,
): Action<Result> {
  const open = async ({ appId }: Fields) => (await roomOf(await currentPerson(), String(appId), needed)).ctx;
  return action({ in: "app", role: needed }, schema, open, verb);
}

/** A question of a page to an app, such as a search while somebody types: the same locks, and nothing changes. */
export function dashboardQuery<Input extends { appId: string }, Result>(
  needed: Role,
  schema: z.ZodType<Input>,
  verb: (ctx: Context, input: Input) => Promise<Result>,
): Action<Result> {
  const open = async ({ appId }: Fields) => (await roomOf(await currentPerson(), String(appId), needed)).ctx;
  return action({ in: "app", role: needed, reads: true }, schema, open, verb);
}
