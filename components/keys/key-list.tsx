import Link from "next/link";
import { Badge, type Tone } from "@/components/ui/badge";
import { Near } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import type { KeySummary } from "@/lib/contract/key-summary";
import type { KeyUsage } from "@/lib/contract/key-usage";
import { SCOPES } from "@/lib/contract/scopes";
import type { ShownKey } from "./key-reveal";
import { RevokeKey } from "./revoke-key";
import { RotateKey } from "./rotate-key";
import { sumOf, UsageBars } from "./usage-bars";

interface Props {
  appId: string;
  keys: readonly KeySummary[];
  usage: KeyUsage;
  label: string;
  /** Absent for people who may only look. */
  actions?: { rotate: FormAction<ShownKey>; revoke: FormAction<void> } | undefined;
}

const DAY = 86_400_000;

const TONES: Record<KeySummary["state"], Tone> = {
  active: "good",
  expiring: "warn",
  expired: "neutral",
  revoked: "bad",
};

function access(scopes: string[]): string {
  if (scopes.length === SCOPES.length) return "Full access";
  return scopes.join(", ");
}

/** API keys, told apart by name, beginning and end; never their text. */
export function KeyList({ appId, keys, usage, label, actions }: Props) {
  return (
    <ul
      aria-label={label}
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs"
    >
      {keys.map((key) => (
        <li key={key.id} className="flex flex-col gap-x-6 gap-y-3 px-5 py-4 md:flex-row md:items-center">
          <div className="grid min-w-0 flex-1 gap-1.5">
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <span className="truncate text-sm font-medium">{key.name}</span>
              <Badge tone={TONES[key.state]}>
                <span className="capitalize">{key.state}</span>
              </Badge>
            </p>
            <p className="font-mono text-[13px] break-all text-muted">
              {key.prefix}
              <span aria-hidden>••••••••</span>
              <span className="sr-only"> to </span>
              {key.lastFour}
            </p>
            <KeyFacts apiKey={key} />
          </div>
          <Usage appId={appId} keyId={key.id} usage={usage} />
          {actions && <KeyActions appId={appId} apiKey={key} actions={actions} />}
        </li>
      ))}
    </ul>
  );
}

function KeyActions({ appId, apiKey, actions }: Pick<Props, "appId"> & ActionsProps) {
  const { id, name, state, lastUsedAt } = apiKey;
  const busy = lastUsedAt !== null && Date.now() - lastUsedAt.getTime() < DAY;
  return (
    <div className="flex gap-2">
      {state === "active" && <RotateKey action={actions.rotate} appId={appId} keyId={id} name={name} />}
      <RevokeKey action={actions.revoke} appId={appId} keyId={id} name={name} busy={busy} />
    </div>
  );
}

interface ActionsProps {
  apiKey: KeySummary;
  actions: NonNullable<Props["actions"]>;
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
        prefetch={false}
        className="text-[13px] text-muted underline decoration-line underline-offset-2 hover:text-ink"
      >
        {requests.toLocaleString("en")} {requests === 1 ? "request" : "requests"} in {days.length} days
      </Link>
    </div>
  );
}

function KeyFacts({ apiKey }: { apiKey: KeySummary }) {
  const { scopes, createdAt, lastUsedAt, expiresAt, state } = apiKey;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-muted">
      <span>{access(scopes)}</span>
      <span>
        Created <Near at={createdAt} />
      </span>
      <span>
        {lastUsedAt ? (
          <>
            Last used <Near at={lastUsedAt} />
          </>
        ) : (
          "Never used"
        )}
      </span>
      {state === "expiring" && expiresAt && (
        <span className="font-medium text-warn">
          Stops working <Near at={expiresAt} />
        </span>
      )}
    </p>
  );
}
