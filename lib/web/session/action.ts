import { createHash } from "node:crypto";
import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import { ATTEMPT_FIELD, type FormAction, SEEN_FIELD } from "@/lib/contract/form-state";
import type { Role } from "@/lib/contract/workspace";
import { Cache } from "@/lib/platform/cache";
import { type Db, database } from "@/lib/platform/db/client";
import { fail } from "@/lib/platform/errors";
import { wakeQueue } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { parseInput } from "@/lib/platform/parse-input";
import type { SignedInUser } from "@/lib/tenants/accounts/session";
import { conflictOf } from "@/lib/tenants/audit/changes";
import type { Context, UserActor, WorkspaceContext } from "@/lib/tenants/context";
import { markActionBegun } from "@/lib/web/http/action-run";
import { toAppError } from "@/lib/web/http/answer";
import { type AccessRule, fromOurPage, type Guarded, guarded } from "@/lib/web/session/access";
import { actorOf, appContextFor, workspaceContextFor } from "@/lib/web/session/context";
import { currentUser, refuseDemoVisitor, SESSION_ENDED } from "@/lib/web/session/current-user";
import { readForm } from "@/lib/web/session/form";

type Fields = ReturnType<typeof readForm>;
type Action<Result> = Guarded<FormAction<Result>>;

/**
 * Runs every action in the same order: origin of the form, session and role, and only then the fields, so that a
 * refusal reveals nothing about them. The demo allows reads only. Work may redirect; any error becomes form state,
 * an unexpected one without its cause.
 */
function action<Scope, Input, Result>(
  access: AccessRule,
  schema: z.ZodType<Input>,
  authorise: (fields: Fields) => Promise<Scope>,
  work: (scope: Scope, input: Input) => Promise<Result>,
): Action<Result> {
  const outcomes = new Cache<Outcome<Result>>(REMEMBERED_MS, REMEMBERED_FORMS);
  const run: FormAction<Result> = async (_state, form) => {
    // The framework passes on whatever a caller's body holds.
    if (!(form instanceof FormData)) throw new TypeError("An action was called without a form");
    markActionBegun();
    try {
      if (!fromOurPage(await headers())) fail("FORBIDDEN", "This form was not sent from a page of this site");
      if (access.in !== "anywhere" && !access.readOnly) await refuseDemoVisitor();
      const fields = readForm(form);
      const scope = await authorise(fields).catch(refuseSignedOut);
      const result = await once(outcomes, scope, form, () => work(scope, parseInput(schema, fields)));
      showChanges(access);
      return { ok: { result } };
    } catch (thrown) {
      // Work that redirects has succeeded.
      if (isRedirect(thrown)) showChanges(access);
      unstable_rethrow(thrown);
      const error = toAppError(thrown);
      if (error.status >= 500) log().error({ err: error.cause ?? error }, "a dashboard action failed");
      const { message, field, extra } = error;
      return { error: { message, field, conflict: conflictOf(error), signedOut: extra?.signedOut === true } };
    } finally {
      if (!access.readOnly) for (const queue of ["webhooks", "emails"]) wakeQueue(queue);
    }
  };
  return guarded({ ...access, schema }, run);
}

/** Milliseconds for which a process remembers the outcome of a form, and the number of forms per action. */
const REMEMBERED_MS = 10 * 60_000;
const REMEMBERED_FORMS = 100;

type Outcome<Result> = { result: Result } | { redirect: unknown };

/**
 * Does the work of a member's form once. A browser that lost the response sends the same form with the same attempt and gets
 * the first outcome, so that no campaign or key is created twice. Failed work is done again.
 */
async function once<Result>(
  outcomes: Cache<Outcome<Result>>,
  scope: unknown,
  form: FormData,
  work: () => Promise<Result>,
): Promise<Result> {
  const member = (scope as Partial<Context> | undefined)?.actor;
  const entries = [...form];
  // Forms with files are not compared.
  const comparable = entries.every(([, value]) => typeof value === "string");
  if (member?.kind !== "user" || !form.has(ATTEMPT_FIELD) || !comparable) return work();
  const key = createHash("sha256")
    .update(JSON.stringify([member.id, entries]))
    .digest("hex");
  const outcome = await outcomes.get(key, () =>
    work().then(
      (result) => ({ result }),
      (thrown: unknown) => {
        if (isRedirect(thrown)) return { redirect: thrown };
        throw thrown;
      },
    ),
  );
  if ("redirect" in outcome) throw outcome.redirect;
  return outcome.result;
}

/** A form whose session has ended keeps its input, which a redirect to the sign-in page would lose. */
function refuseSignedOut(thrown: unknown): never {
  if (!isRedirect(thrown)) throw thrown;
  const extra = { signedOut: true };
  return fail("UNAUTHORIZED", SESSION_ENDED, { extra });
}

/** The framework's redirect, which it throws. */
const isRedirect = (thrown: unknown) =>
  String((thrown as { digest?: unknown }).digest).startsWith("NEXT_REDIRECT");

/** Revalidates every page of the dashboard, so that a change shows at once and everywhere. */
function showChanges(access: AccessRule): void {
  if (access.in !== "anywhere" && !access.readOnly) revalidatePath("/dashboard", "layout");
}

/** A form for every visitor, signed in or not. */
export function formAction<Input, Result>(
  schema: z.ZodType<Input>,
  work: (input: Input) => Promise<Result>,
): Action<Result> {
  return action(
    { in: "anywhere" },
    schema,
    async () => undefined,
    (_, input) => work(input),
  );
}

/** An action for a form without state, such as a single button; its errors are not shown. */
export function plainAction<Result>(made: Action<Result>): Guarded<(form: FormData) => Promise<void>> {
  return guarded({ ...made.access, hidesOutcome: true }, async (form: FormData) => {
    await made({}, form);
  });
}

/** A form of the signed-in user, about the user's own account. */
export function userAction<Input, Result>(
  schema: z.ZodType<Input>,
  work: (db: Db, user: SignedInUser, input: Input) => Promise<Result>,
): Action<Result> {
  return action({ in: "account" }, schema, currentUser, (user, input) => work(database(), user, input));
}

/**
 * A form by which the signed-in user creates or joins a workspace, as its first action there. A repetition is recognised,
 * other than in {@link userAction}, whose work may set cookies that a repetition would lack.
 */
export function joinAction<Input, Result>(
  schema: z.ZodType<Input>,
  work: (db: Db, joining: { actor: UserActor; email: string }, input: Input) => Promise<Result>,
): Action<Result> {
  const authorise = async () => {
    const user = await currentUser();
    return { actor: await actorOf(user), email: user.email };
  };
  return action({ in: "account" }, schema, authorise, (joining, input) => work(database(), joining, input));
}

/** A form within a workspace: session, membership and at least the role `needed`, then the verb. */
export function workspaceAction<Input extends { workspaceId: string }, Result>(
  needed: Role,
  schema: z.ZodType<Input>,
  verb: (ctx: WorkspaceContext, input: Input) => Promise<Result>,
): Action<Result> {
  const authorise = async ({ workspaceId, ...fields }: Fields) =>
    withSeen(await workspaceContextFor(await currentUser(), String(workspaceId), needed), fields);
  return action({ in: "workspace", role: needed }, schema, authorise, verb);
}

/** The context with the values that the form showed to its sender. */
const withSeen = <Scope extends Context | WorkspaceContext>(ctx: Scope, { [SEEN_FIELD]: seen }: Fields) =>
  typeof seen === "string" ? { ...ctx, seen } : ctx;

const authoriseInApp =
  (needed: Role) =>
  async ({ appId, ...fields }: Fields): Promise<Context> => {
    const { ctx } = await appContextFor(await currentUser(), String(appId), needed);
    return withSeen(ctx, fields);
  };

/**
 * A form within an app: session, membership and at least the role `needed`, then the verb. The form's `appId` names
 * the app; another workspace's is NOT_FOUND.
 */
export function dashboardAction<Input extends { appId: string }, Result>(
  needed: Role,
  schema: z.ZodType<Input>,
  verb: (ctx: Context, input: Input) => Promise<Result>,
): Action<Result> {
  return action({ in: "app", role: needed }, schema, authoriseInApp(needed), verb);
}

/** A read-only request of a page to an app, such as a search while the user types: the same checks, no revalidation. */
export function dashboardQuery<Input extends { appId: string }, Result>(
  needed: Role,
  schema: z.ZodType<Input>,
  verb: (ctx: Context, input: Input) => Promise<Result>,
): Action<Result> {
  return action({ in: "app", role: needed, readOnly: true }, schema, authoriseInApp(needed), verb);
}
