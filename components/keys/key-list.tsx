import { Link } from "@/components/ui/link";
import { StatusBadge, type StatusLooks } from "@/components/ui/status-badge";
import { RelativeTime } from "@/components/ui/time";
import { type KeySummary, type KeyUsage, SCOPES } from "@/lib/contract/api-key";
import type { FormAction } from "@/lib/contract/form-state";
import { DAY_MS, formatCount, formatNumber } from "@/lib/contract/format";
import { type NewKey, RevokeKey, RotateKey } from "./key-actions";
import { EditLimits, LimitsInForce } from "./key-limits";
import { sumOf, UsageBars } from "./usage-bars";

interface Props {
  appId: string;
  keys: readonly KeySummary[];
  usage: KeyUsage;
  label: string;
  /** Absent for members with read-only access. */
  actions?: KeyFormActions | undefined;
}

interface KeyFormActions {
  rotate: FormAction<NewKey>;
  revoke: FormAction<void>;
  limits: FormAction<void>;
  lift: FormAction<void>;
}

const KEY_STATES: StatusLooks<KeySummary["state"]> = {
  active: { label: "Active", tone: "good" },
  expiring: { label: "Expiring", tone: "warn" },
  expired: { label: "Expired", tone: "neutral" },
  revoked: { label: "Revoked", tone: "bad" },
};

const isWorking = ({ state }: KeySummary): boolean => state === "active" || state === "expiring";

function accessLabel(scopes: string[]): string {
  if (scopes.length === SCOPES.length) return "Full access";
  return scopes.join(", ");
}

/** API keys by name, prefix and last four characters; never their full text. */
export function KeyList({ appId, keys, usage, label, actions }: Props) {
  return (
    <ul
      aria-label={label}
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs"
    >
      {keys.map((key) => (
        <li key={key.id} className="grid gap-3 px-5 py-4">
          <div className="flex flex-col gap-x-6 gap-y-3 md:flex-row md:items-center">
            <div className="grid min-w-0 flex-1 gap-1.5">
              <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <span className="truncate text-sm font-medium">{key.name}</span>
                <StatusBadge status={key.state} looks={KEY_STATES} />
              </p>
              <p className="font-mono text-note wrap-anywhere text-muted">
                {key.prefix}
                <span aria-hidden>••••••••</span>
                <span className="sr-only"> to </span>
                {key.lastFour}
              </p>
              <KeyFacts apiKey={key} />
            </div>
            <Usage appId={appId} keyId={key.id} usage={usage} />
            {actions && <KeyActions appId={appId} apiKey={key} actions={actions} />}
          </div>
          {isWorking(key) && key.limitsInForce.length > 0 && (
            <LimitsInForce appId={appId} apiKey={key} lift={actions?.lift} />
          )}
        </li>
      ))}
    </ul>
  );
}

function KeyActions({ appId, apiKey, actions }: Pick<Props, "appId"> & ActionsProps) {
  const { id, name, state, lastUsedAt } = apiKey;
  const busy = lastUsedAt !== null && Date.now() - lastUsedAt.getTime() < DAY_MS;
  return (
    <div className="flex flex-wrap gap-2">
      {isWorking(apiKey) && <EditLimits action={actions.limits} appId={appId} apiKey={apiKey} />}
      {state === "active" && <RotateKey action={actions.rotate} appId={appId} keyId={id} name={name} />}
      <RevokeKey action={actions.revoke} appId={appId} apiKey={apiKey} busy={busy} />
    </div>
  );
}

interface ActionsProps {
  apiKey: KeySummary;
  actions: KeyFormActions;
}

function Usage({ appId, keyId, usage }: { appId: string; keyId: string; usage: KeyUsage }) {
  const days = usage[keyId];
  if (!days) return null;
  const { requests } = sumOf(days);
  return (
    <div className="grid w-fit gap-1">
      <UsageBars days={days} />
      <Link
        href={`/dashboard/apps/${appId}/requests?key=${keyId}`}
        className="text-note text-muted underline decoration-line underline-offset-2 hover:text-ink"
      >
        {formatCount(requests, "request")} in {days.length} days
      </Link>
    </div>
  );
}

function KeyFacts({ apiKey }: { apiKey: KeySummary }) {
  const { scopes, createdAt, lastUsedAt, expiresAt, state, dailyBudget, budgetUsed, addressCap } = apiKey;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-note text-muted">
      <span>{accessLabel(scopes)}</span>
      <span>
        Created <RelativeTime at={createdAt} />
      </span>
      <span>
        {lastUsedAt ? (
          <>
            Last used <RelativeTime at={lastUsedAt} />
          </>
        ) : (
          "Never used"
        )}
      </span>
      {dailyBudget !== null && (
        <span>
          {formatNumber(Math.min(budgetUsed, dailyBudget))} of {formatNumber(dailyBudget)} requests used today
          (UTC)
        </span>
      )}
      {addressCap !== null && <span>{formatCount(addressCap, "code")} per address a day</span>}
      {state === "expiring" && expiresAt && (
        <span className="font-medium text-warn">
          Stops working <RelativeTime at={expiresAt} />
        </span>
      )}
    </p>
  );
}
