import type { Context } from "@/lib/context";
import type { Role } from "@/lib/contract/roles";
import { AppError, fail } from "@/lib/errors";
import { toAppError } from "@/lib/http/answer";
import { type Outcome, progressResponse, refusedResponse } from "@/lib/http/progress";
import { openUpload, type UploadBody } from "@/lib/http/upload";
import { log } from "@/lib/log";
import { roomOf } from "@/lib/session/context";
import { type Framed, framed } from "@/lib/session/needs";
import { fromOurPage } from "@/lib/session/origin";
import { findCurrentPerson } from "@/lib/session/person";

type Params = Promise<Record<string, string>>;
type Handler = Framed<(request: Request, given: { params: Params }) => Promise<Response>>;

/** A file that somebody sends, and the ways to answer it. */
export interface Upload {
  /** What is said of the file, in the search part of the address. */
  query: Record<string, string>;
  source: AsyncIterable<Uint8Array>;
  /** Fires when the sender cancels or is gone. */
  signal: AbortSignal;
  /** Answers with how far the work is, then with its result. Where the work fails the rest of the file is thrown away. */
  report(work: (tell: (progress: object) => void) => Promise<object>): Response;
}

/**
 * A POST route below `/dashboard/apps/[appId]` that takes a file as its raw body, for people of at least the role
 * `needed`. The proxy never sees these paths (it would hold the whole body), so the origin is checked here.
 */
export function appUpload(
  needed: Role,
  answer: (ctx: Context, upload: Upload) => Promise<Response>,
): Handler {
  return framed({ in: "app", role: needed }, async (request: Request, { params }: { params: Params }) => {
    try {
      if (!fromOurPage(request.headers)) fail("FORBIDDEN", "This file was not sent from a page of this site");
      const { appId = "" } = await params;
      const { ctx } = await roomOf(await signedIn(), appId, needed);
      return await answer(ctx, uploadOf(request));
    } catch (thrown) {
      const { status } = toAppError(thrown);
      return refusedResponse(status, told(thrown));
    }
  });
}

async function signedIn() {
  return (await findCurrentPerson()) ?? fail("UNAUTHORIZED", "Sign in first");
}

function uploadOf(request: Request): Upload {
  const body = openUpload(request);
  const cancel = new AbortController();
  const gone = () => cancel.abort(new AppError("VALIDATION_ERROR", "The upload was cancelled"));
  if (request.signal.aborted) gone();
  request.signal.addEventListener("abort", gone, { once: true });
  return {
    query: Object.fromEntries(new URL(request.url).searchParams),
    source: body.source,
    signal: cancel.signal,
    report: (work) => progressResponse((tell) => outcomeOf(work, tell, body), gone),
  };
}

async function outcomeOf(
  work: (tell: (progress: object) => void) => Promise<object>,
  tell: (progress: object) => void,
  body: UploadBody,
): Promise<Outcome> {
  try {
    return { result: await work((progress) => tell({ ...progress, bytes: body.received() })) };
  } catch (thrown) {
    await body.discard();
    return told(thrown);
  }
}

function told(thrown: unknown): Outcome {
  const error = toAppError(thrown);
  if (error.status >= 500) log().error({ err: error.cause ?? error }, "an upload failed");
  return { error: { message: error.message, field: error.field } };
}
