import { AppError, fail } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import type { Context } from "@/lib/tenants/context";
import { toAppError } from "@/lib/web/http/answer";
import { progressResponse, refusedResponse, type WorkOutcome } from "@/lib/web/http/progress";
import { openUpload, takeFilePlace, type UploadBody } from "@/lib/web/http/upload";
import { fromOurPage, type Guarded, guarded } from "@/lib/web/session/access";
import { appContextFor } from "@/lib/web/session/context";
import { getSignedInUser, refuseDemoVisitor, SESSION_ENDED } from "@/lib/web/session/current-user";

type Params = Promise<Record<string, string>>;
type UploadHandler = Guarded<(request: Request, given: { params: Params }) => Promise<Response>>;

/** A file being uploaded, and the way to answer it. */
interface Upload {
  /** Describes the file. */
  query: Record<string, string>;
  source: AsyncIterable<Uint8Array>;
  /** Fires when the sender cancels or disconnects. */
  signal: AbortSignal;
  /** Answers with the progress of the work, then with its result. When the work fails, the rest of the file is dropped. */
  respond(work: (report: (progress: object) => void) => Promise<object>): Response;
}

/**
 * A POST route below `/dashboard/apps/[appId]` that takes a file as its raw body, for the role `member` and above. The
 * proxy skips these paths (it would buffer the whole body), so the origin is checked here.
 */
export function appUpload(answer: (ctx: Context, upload: Upload) => Promise<Response>): UploadHandler {
  return appPost(async (ctx, request) => {
    const leave = takeFilePlace(ctx.actor.kind === "user" ? ctx.actor.id : "");
    let work: Promise<unknown> | undefined;
    const begun = (running: Promise<unknown>) => {
      work = running;
    };
    try {
      return await answer(ctx, uploadOf(request, begun));
    } finally {
      void Promise.resolve(work).then(leave, leave);
    }
  });
}

/** Work that reports its progress; `signal` fires when the reader leaves. */
type ReportedWork = (
  ctx: Context,
  request: { query: Record<string, string>; signal: AbortSignal },
  report: (progress: object) => void,
) => Promise<object>;

/** A POST route below `/dashboard/apps/[appId]` without a body, which answers with the progress of its work, then its result. */
export function appProgress(work: ReportedWork): UploadHandler {
  return appPost(async (ctx, request) => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    const left = new AbortController();
    const given = { query, signal: left.signal };
    return progressResponse(
      (report) =>
        work(ctx, given, report).then(
          (result) => ({ result }),
          (thrown: unknown) => failureOf(thrown),
        ),
      () => left.abort(),
    );
  });
}

function appPost(answer: (ctx: Context, request: Request) => Promise<Response>): UploadHandler {
  return guarded({ in: "app", role: "member" }, async (request: Request, { params }: { params: Params }) => {
    try {
      if (!fromOurPage(request.headers)) fail("FORBIDDEN", "This form was not sent from a page of this site");
      await refuseDemoVisitor();
      const { appId = "" } = await params;
      const { ctx } = await appContextFor(await getSignedInUser(), appId, "member");
      return await answer(ctx, request);
    } catch (thrown) {
      return refusedResponse(toAppError(thrown), failureOf(thrown));
    }
  });
}

/** `begun` is called with work that goes on after the response has begun. */
function uploadOf(request: Request, begun: (work: Promise<unknown>) => void): Upload {
  const body = openUpload(request);
  const cancel = new AbortController();
  const abort = () => cancel.abort(new AppError("VALIDATION_ERROR", "The upload was cancelled"));
  if (request.signal.aborted) abort();
  request.signal.addEventListener("abort", abort, { once: true });
  return {
    query: Object.fromEntries(new URL(request.url).searchParams),
    source: body.source,
    signal: cancel.signal,
    respond: (work) =>
      progressResponse((report) => {
        const outcome = outcomeOf(work, report, body);
        begun(outcome);
        return outcome;
      }, abort),
  };
}

async function outcomeOf(
  work: (report: (progress: object) => void) => Promise<object>,
  report: (progress: object) => void,
  body: UploadBody,
): Promise<WorkOutcome> {
  try {
    return { result: await work((progress) => report({ ...progress, bytes: body.received() })) };
  } catch (thrown) {
    await body.discard();
    return failureOf(thrown);
  }
}

function failureOf(thrown: unknown): WorkOutcome {
  const error = toAppError(thrown);
  if (error.status >= 500) log().error({ err: error.cause ?? error }, "a dashboard request failed");
  if (error.code === "UNAUTHORIZED") return { error: { message: SESSION_ENDED, signedOut: true } };
  return { error: { message: error.message, field: error.field } };
}
