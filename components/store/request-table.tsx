import Link from "next/link";
import { Badge, type Tone } from "@/components/ui/badge";
import { ConfirmButton } from "@/components/ui/confirm";
import { Near } from "@/components/ui/time";
import type { CodeRequestState, CodeRequestView } from "@/lib/contract/code-request";
import type { FormAction } from "@/lib/contract/form-state";

const STATES: Record<CodeRequestState, { name: string; tone: Tone }> = {
  asked: { name: "Asking Apple", tone: "accent" },
  made: { name: "Fetching", tone: "accent" },
  imported: { name: "Imported", tone: "good" },
  unclear: { name: "Needs a look", tone: "bad" },
  refused: { name: "Refused", tone: "bad" },
  given_up: { name: "Given up", tone: "neutral" },
};

const OPEN: readonly CodeRequestState[] = ["asked", "made", "unclear"];

/** Whether a request goes on by itself, so that the page looks again. */
export const isRunning = ({ state }: CodeRequestView): boolean => state === "asked" || state === "made";

interface Props {
  appId: string;
  requests: readonly CodeRequestView[];
  mayChange: boolean;
  giveUp: FormAction<void>;
}

/** What was asked for at the store, newest first, with how far each is. */
export function RequestTable({ appId, requests, mayChange, giveUp }: Props) {
  return (
    <ul
      aria-label="Requests for codes"
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs"
    >
      {requests.map((request) => (
        <li key={request.id} className="grid gap-x-6 gap-y-2 px-5 py-3.5 sm:grid-cols-[minmax(0,1fr)_auto]">
          <div className="grid min-w-0 gap-1">
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
              <span className="font-medium break-words">
                {request.amount.toLocaleString("en")} × {request.offerName}
              </span>
              <Badge tone={STATES[request.state].tone}>{STATES[request.state].name}</Badge>
              {request.origin === "refill" && <Badge>Refill</Badge>}
            </p>
            <p className="text-[13px] text-muted">
              For {request.pool}, until {request.expiresOn}, asked for <Near at={request.createdAt} />
            </p>
            {request.trouble && <p className="text-[13px]">{request.trouble}</p>}
          </div>
          <div className="flex items-center gap-2">
            <Outcome appId={appId} request={request} />
            {mayChange && OPEN.includes(request.state) && (
              <GiveUp appId={appId} request={request} action={giveUp} />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Outcome({ appId, request: { batchId, imported } }: { appId: string; request: CodeRequestView }) {
  if (!batchId) return null;
  return (
    <Link
      href={`/dashboard/apps/${appId}/codes/batches/${batchId}`}
      prefetch={false}
      className="text-[13px] underline underline-offset-2"
    >
      {(imported ?? 0).toLocaleString("en")} codes
    </Link>
  );
}

interface GiveUpProps {
  appId: string;
  request: CodeRequestView;
  action: FormAction<void>;
}

function GiveUp({ appId, request, action }: GiveUpProps) {
  return (
    <ConfirmButton
      label="Give up"
      ariaLabel={`Give up the request for ${request.offerName}`}
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, requestId: request.id }}
      title="Give this request up?"
      description="Nothing more is done for it. Codes that Apple has made stay at App Store Connect: download them there and import the file."
      submit="Give it up"
      danger
      done="The request was given up"
    />
  );
}
