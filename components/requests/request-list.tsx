import { ArrowRight, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { StatusCode } from "@/components/ui/badge";
import { CodeText } from "@/components/ui/code-text";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/time";
import { errorHelp } from "@/lib/contract/error-help";
import { formatDuration } from "@/lib/contract/format";
import { matchPath } from "@/lib/contract/referrer-list";
import type { RequestLine } from "@/lib/contract/request-line";

type RequestDetailsProps = Pick<Props, "appPath"> & { request: RequestLine; caller: string };

/** A request in full, with its key or connection, the reason of a refusal, the next step, and the person it named. */
function RequestDetails({ appPath, request, caller }: RequestDetailsProps) {
  const { id, keyId, path, errorCode, message, uid } = request;
  const help = errorCode === null ? undefined : errorHelp(errorCode, path);
  const userPath = uid && appPath + matchPath({ section: "people", id: uid });
  return (
    <div className="grid gap-4 border-t border-line bg-subtle/40 px-4 py-4 text-sm sm:pl-11">
      {message && <p className="font-medium">{message}</p>}
      {help && (
        <dl className="grid max-w-3xl gap-2">
          <Detail name="Why">
            <CodeText text={help.why} />
          </Detail>
          <Detail name="What to do">
            <CodeText text={help.todo} />{" "}
            {help.section && (
              <Link
                href={`${appPath}${help.section.path}`}
                className="inline-flex items-center gap-1 font-medium text-accent underline underline-offset-2"
              >
                {help.section.name}
                <ArrowRight className="size-3.5" aria-hidden />
              </Link>
            )}
          </Detail>
        </dl>
      )}
      <dl className="grid gap-2">
        <Detail name="Request ID">
          <span className="inline-flex items-center gap-1">
            <code className="font-mono text-note wrap-anywhere">{id}</code>
            <CopyButton text={id} label="Copy the request ID" />
          </span>
        </Detail>
        {userPath && (
          <Detail name="User">
            <Link href={userPath} className="wrap-anywhere underline">
              {uid}
            </Link>
          </Detail>
        )}
        <Detail name="Caller">
          <Link href={`${appPath}/requests?key=${keyId}`} className="underline underline-offset-2">
            {caller}
          </Link>
        </Detail>
      </dl>
    </div>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid items-baseline gap-x-4 gap-y-0.5 sm:grid-cols-[6rem_minmax(0,1fr)]">
      <dt className="text-note text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface Props {
  appPath: string;
  requests: readonly RequestLine[];
  /** Names of the app's keys and connections by id. */
  callerNames: Readonly<Record<string, string>>;
  /** Whether requests are open at first, as for a request that was searched by its id. */
  open: boolean;
}

/** Answered requests, newest first; each opens to show why it was refused. */
export function RequestList({ appPath, requests, callerNames, open }: Props) {
  return (
    <ul
      aria-label="Requests"
      className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-xs"
    >
      {requests.map((request) => (
        <li key={request.id}>
          <details className="group" open={open || undefined}>
            <summary className="grid list-none grid-cols-[1rem_3rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-4 py-2.5 text-sm hover:bg-subtle/60 sm:grid-cols-[1rem_3rem_minmax(0,1fr)_14rem_4.5rem_10rem] [&::-webkit-details-marker]:hidden">
              <ChevronRight
                aria-hidden
                className="size-4 text-muted transition-transform group-open:rotate-90 motion-reduce:transition-none"
              />
              <span>
                <StatusCode status={request.status} />
              </span>
              <span className="min-w-0 font-mono text-note">
                <span className="block truncate">
                  <span className="text-muted">{request.method}</span>{" "}
                  {request.path.replace(/^\/api(?=\/)/, "")}
                </span>
                {request.uid && <span className="block truncate text-muted">{request.uid}</span>}
              </span>
              <span className="truncate font-mono text-xs text-muted max-sm:order-last max-sm:col-span-2 max-sm:col-start-3">
                {request.errorCode ?? ""}
              </span>
              <span className="text-right text-note text-muted tabular-nums">
                {formatDuration(request.micros)}
              </span>
              <span className="text-right text-note text-muted tabular-nums max-sm:order-last max-sm:col-span-2 max-sm:col-start-3 max-sm:text-left">
                <LocalTime at={request.at} shape="second" />
              </span>
            </summary>
            <RequestDetails
              appPath={appPath}
              request={request}
              caller={callerNames[request.keyId] ?? "A deleted key or connection"}
            />
          </details>
        </li>
      ))}
    </ul>
  );
}
