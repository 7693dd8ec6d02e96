import { Badge } from "@/components/ui/badge";
import { ConfirmButton } from "@/components/ui/confirm";
import { Link } from "@/components/ui/link";
import { StatusBadge, type StatusLooks } from "@/components/ui/status-badge";
import { RelativeTime } from "@/components/ui/time";
import type { CodeRequestState, CodeRequestView } from "@/lib/contract/code-request";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount, formatDate, formatNumber } from "@/lib/contract/format";

/** The stored value of a request that is not answered yet. */
const REQUESTED = "asked";

const CODE_REQUEST_STATES: StatusLooks<CodeRequestState> = {
  [REQUESTED]: { label: "Requesting", tone: "accent" },
  made: { label: "Downloading", tone: "accent" },
  imported: { label: "Imported", tone: "good" },
  unclear: { label: "Needs review", tone: "bad" },
  refused: { label: "Refused", tone: "bad" },
  given_up: { label: "Given up", tone: "neutral" },
};

const OPEN: readonly CodeRequestState[] = [REQUESTED, "made", "unclear"];

/** Whether a request is in progress, so that the page refreshes. */
export const isRunning = ({ state }: CodeRequestView): boolean => state === REQUESTED || state === "made";

interface Props {
  appId: string;
  requests: readonly CodeRequestView[];
  mayChange: boolean;
  giveUp: FormAction<void>;
}

/** Requests for codes at the store with their states, newest first. */
export function RequestTable({ appId, requests, mayChange, giveUp }: Props) {
  return (
    <ul
      aria-label="Requests for codes"
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs"
    >
      {requests.map((request) => (
        <li key={request.id} className="grid gap-x-6 gap-y-2 px-5 py-3.5 sm:grid-cols-[minmax(0,1fr)_auto]">
          <div className="grid min-w-0 gap-1 wrap-anywhere">
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
              <span className="font-medium">
                {formatNumber(request.amount)} × {request.offerName}
              </span>
              <StatusBadge status={request.state} looks={CODE_REQUEST_STATES} />
              {request.late && <Badge tone="warn">Late</Badge>}
              {request.origin === "refill" && <Badge>Refill</Badge>}
            </p>
            <p className="text-note text-muted">
              For {request.pool} · expires {formatDate(new Date(request.expiresOn))} · requested{" "}
              <RelativeTime at={request.createdAt} />
            </p>
            {request.late && (
              <p className="text-note">
                It is due, but the service is not processing it. Contact the operator of this service.
              </p>
            )}
            {request.trouble && <p className="text-note">{request.trouble}</p>}
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
      className="text-note underline underline-offset-2"
    >
      {formatCount(imported ?? 0, "code")}
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
      title="Give up this request?"
      description="The request ends. Codes that Apple has already generated stay in App Store Connect. Download them there and import the file."
      submit="Give up request"
      danger
      done="Request given up"
    />
  );
}
