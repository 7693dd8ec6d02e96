import type { Role } from "@/lib/contract/workspace";
import { type Db, database } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import type { SignedInUser } from "@/lib/tenants/accounts/session";
import type { Context, WorkspaceContext } from "@/lib/tenants/context";
import { retryHeaders, toAppError } from "@/lib/web/http/answer";
import { textResponse } from "@/lib/web/http/responses";
import { type AccessRule, type Guarded, guarded } from "@/lib/web/session/access";
import { appContextFor, workspaceContextFor } from "@/lib/web/session/context";
import { getSignedInUser, refuseDemoVisitor } from "@/lib/web/session/current-user";

type Params = Promise<Record<string, string>>;
type Download = Guarded<(request: Request, given: { params: Params }) => Promise<Response>>;

/** Checks the access to a file and answers with it; the query holds the filters. */
function download(
  access: AccessRule,
  answer: (params: Record<string, string>, query: URLSearchParams) => Promise<Response>,
): Download {
  return guarded(access, async (request: Request, { params }: { params: Params }) => {
    try {
      return await answer(await params, new URL(request.url).searchParams);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.status >= 500) log().error({ err: error.cause ?? error }, "a download failed");
      return textResponse(error.status, error.message, retryHeaders(error));
    }
  });
}

/** A GET route that answers the signed-in user with a file about the user's own account. */
export function userDownload(answer: (db: Db, user: SignedInUser) => Promise<Response>): Download {
  return download({ in: "account" }, async () => {
    await refuseDemoVisitor();
    return answer(database(), await getSignedInUser());
  });
}

/** A GET route below `/dashboard/apps/[appId]` that answers with a file, for members of at least the role `needed`. */
export function appDownload(
  needed: Role,
  answer: (ctx: Context, query: URLSearchParams, params: Record<string, string>) => Promise<Response>,
): Download {
  return download({ in: "app", role: needed }, async (params, query) => {
    const { ctx } = await appContextFor(await getSignedInUser(), params.appId ?? "", needed);
    return answer(ctx, query, params);
  });
}

/** The same below `/dashboard/workspaces/[workspaceId]`. */
export function workspaceDownload(
  needed: Role,
  answer: (ctx: WorkspaceContext, query: URLSearchParams) => Promise<Response>,
): Download {
  return download({ in: "workspace", role: needed }, async (params, query) =>
    answer(await workspaceContextFor(await getSignedInUser(), params.workspaceId ?? "", needed), query),
  );
}
