import type { Context, WorkspaceContext } from "@/lib/context";
import type { Role } from "@/lib/contract/roles";
import { AppError } from "@/lib/errors";
import { toAppError } from "@/lib/http/answer";
import { textResponse } from "@/lib/http/text";
import { log } from "@/lib/log";
import { officeOf, roomOf } from "@/lib/session/context";
import { type Framed, framed, type Needs } from "@/lib/session/needs";
import { findCurrentPerson } from "@/lib/session/person";

type Params = Promise<Record<string, string>>;
type Download = Framed<(request: Request, given: { params: Params }) => Promise<Response>>;

/** Who may have the file, by app or workspace, and what it is. The search part of the address holds the filters. */
function download(
  needs: Needs,
  open: (params: Record<string, string>, query: URLSearchParams) => Promise<Response>,
): Download {
  return framed(needs, async (request: Request, { params }: { params: Params }) => {
    try {
      return await open(await params, new URL(request.url).searchParams);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.status >= 500) log().error({ err: error.cause ?? error }, "a download failed");
      return textResponse(error.status, error.message);
    }
  });
}

async function signedIn() {
  const person = await findCurrentPerson();
  if (!person) throw new AppError("UNAUTHORIZED", "Sign in first");
  return person;
}

/** A GET route below `/dashboard/apps/[appId]` that answers with a file, for people of at least the role `needed`. */
export function appDownload(
  needed: Role,
  answer: (ctx: Context, query: URLSearchParams, params: Record<string, string>) => Promise<Response>,
): Download {
  return download({ in: "app", role: needed }, async (params, query) => {
    const { ctx } = await roomOf(await signedIn(), params.appId ?? "", needed);
    return answer(ctx, query, params);
  });
}

/** The same below `/dashboard/workspaces/[workspaceId]`. */
export function workspaceDownload(
  needed: Role,
  answer: (ctx: WorkspaceContext, query: URLSearchParams) => Promise<Response>,
): Download {
  return download({ in: "workspace", role: needed }, async (params, query) =>
    answer(await officeOf(await signedIn(), params.workspaceId ?? "", needed), query),
  );
}
