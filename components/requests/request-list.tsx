import { ChevronRight } from "lucide-react";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { LocalTime } from "@/components/ui/time";
import { formatDuration } from "@/lib/contract/format";
import type { RequestLine } from "@/lib/contract/request-line";
import { RequestDetails } from "./request-details";

interface Props {
  appPath: string;
  requests: readonly RequestLine[];
  /** Names of the app's keys and connections by id. */
  callerNames: Readonly<Record<string, string>>;
  /** Whether they are shown in full at once, as for a request that was searched by its id. */
  open: boolean;
}

/** The colour of a status, which is shown beside it as a number. */
function toneOf(status: number): BadgeTone {
  if (status < 400) return "good";
  return status < 500 ? "warn" : "bad";
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
                <Badge tone={toneOf(request.status)}>{request.status}</Badge>
              </span>
              <span className="truncate font-mono text-note">
                <span className="text-muted">{request.method}</span>{" "}
                {request.path.replace(/^\/api(?=\/)/, "")}
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
