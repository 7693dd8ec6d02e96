import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { LocalTime, RelativeTime } from "@/components/ui/time";
import type { ErrorHelp } from "@/lib/contract/error-help";
import { formatCount } from "@/lib/contract/format";
import {
  type ConnectionHealth,
  type ConnectionView,
  isLocalAddress,
  type ProviderGuide,
} from "@/lib/contract/provider";
import { DayCounts } from "./connection-list";

interface Props {
  connection: ConnectionView;
  guide: ProviderGuide;
  health: ConnectionHealth;
  /** The cause and the fix of the newest refused delivery, if its body was at fault. */
  refusedBody: ErrorHelp | undefined;
}

function Last({ health: { last } }: Pick<Props, "health">) {
  if (!last) return <span>Nothing received yet</span>;
  return (
    <span>
      <span className="font-mono text-note">{last.type}</span> <RelativeTime at={last.at} />
    </span>
  );
}

const REMEDIES: Record<ProviderGuide["secretFrom"], (label: string) => string> = {
  us: (label) =>
    `Compare the secret at ${label} with the one you stored, or replace it here and enter the new one there.`,
  provider: (label) => `Copy the secret from ${label} again and enter it here.`,
  none: (label) => `Compare the IDs in the app’s settings with those at ${label}.`,
};

interface SecretProps {
  guide: ProviderGuide;
  former: Date | undefined;
  waiting: boolean;
  unreadable: boolean;
}

function SecretState({ guide, former, waiting, unreadable }: SecretProps) {
  if (unreadable) return <span>Unreadable: enter it again</span>;
  if (waiting) return <span>Not entered yet</span>;
  if (former) {
    return (
      <span>
        Replaced. The old secret works until <LocalTime at={former} />
      </span>
    );
  }
  const text =
    guide.secretFrom === "us" ? "Shown once when it was created. Replace it if you lost it" : "Entered";
  return <span className="text-muted">{text}</span>;
}

function OwnNames({ connection: { ownNames } }: Pick<Props, "connection">) {
  const names = Object.entries(ownNames?.events ?? {}).map(([own, documented]) => `${own} = ${documented}`);
  const all = [...names, ...(ownNames?.userIdKey ? [`metadata.${ownNames.userIdKey}`] : [])];
  if (all.length === 0) return <span className="text-muted">None</span>;
  return <span className="min-w-0 font-mono text-note wrap-anywhere">{all.join(", ")}</span>;
}

/** Refused deliveries by hour, with their sum if not all hours are listed. They stay after a later delivery is accepted. */
function Refusals({ deliveries: all, since, hours }: ConnectionHealth["refusals"]) {
  const isCut = since && hours.every(({ hour }) => hour > since);
  return (
    <ul className="grid gap-0.5">
      {isCut && (
        <li>
          {formatCount(all, "delivery", "deliveries")} <span className="text-muted">in total since</span>{" "}
          <LocalTime at={since} />
          <span className="text-muted">. The {hours.length} most recent hours with refusals:</span>
        </li>
      )}
      {hours.map(({ hour, deliveries, lastAt }) => (
        <li key={hour.getTime()}>
          {formatCount(deliveries, "delivery", "deliveries")}{" "}
          <span className="text-muted">in one hour, the last</span> <LocalTime at={lastAt} shape="second" />
        </li>
      ))}
    </ul>
  );
}

/** Address, secrets and health of a connection. */
export function ConnectionFacts({ connection, guide, health, refusedBody }: Props) {
  const { url, signed, waiting, unreadable, formerUntil, refusedAt } = connection;
  const former = formerUntil && formerUntil.getTime() > Date.now() ? formerUntil : undefined;
  const facts = [
    {
      name: "Address",
      value: <code className="min-w-0 font-mono text-note wrap-anywhere">{url}</code>,
      action: <CopyButton text={url} label="Copy address" />,
    },
    ...(guide.secretFrom === "none"
      ? []
      : [
          {
            name: guide.secretLabel,
            value: <SecretState guide={guide} former={former} waiting={waiting} unreadable={unreadable} />,
          },
        ]),
    ...(guide.signingSecretLabel
      ? [{ name: guide.signingSecretLabel, value: signed ? "Required" : "Not used" }]
      : []),
    ...(guide.ownNames ? [{ name: "Custom names", value: <OwnNames connection={connection} /> }] : []),
    ...(guide.webPurchases
      ? [{ name: "Web purchases", value: connection.webPurchases ? "Counted" : "Ignored" }]
      : []),
    { name: "Last event", value: <Last health={health} /> },
    { name: "Recent events", value: <DayCounts health={health} /> },
    ...(health.refusals.deliveries > 0
      ? [{ name: "Refused deliveries", value: <Refusals {...health.refusals} /> }]
      : []),
  ];
  return (
    <>
      {refusedAt && !waiting && (!health.last || refusedAt > health.last.at) && (
        <Callout tone="bad">
          <p>
            A delivery was refused <RelativeTime at={refusedAt} />
            {refusedBody ? `. ${refusedBody.why}` : ", because it could not be authenticated."}
          </p>
          <p>{refusedBody ? refusedBody.todo : REMEDIES[guide.secretFrom](guide.label)}</p>
        </Callout>
      )}
      {guide.name !== "generic" && isLocalAddress(url) && (
        <Callout tone="warn">
          <p>
            {guide.label} cannot reach this address, because it is local. Deploy the service at a public
            address, or open a tunnel and set <code className="font-mono text-note">APP_URL</code> to it.
          </p>
        </Callout>
      )}
      <Facts facts={facts} />
    </>
  );
}

/** A warning that the provider's own secret is missing. */
export function MissingSecret({ label, secret }: { label: string; secret: string }) {
  return (
    <Callout tone="warn">
      <p>
        Deliveries are refused until you copy the {secret.toLowerCase()} from {label} and enter it in the menu
        above.
      </p>
    </Callout>
  );
}

/** A warning about settings of the app without which every delivery is refused. */
export function MissingSettings({ settings, appPath }: { settings: readonly string[]; appPath: string }) {
  if (settings.length === 0) return null;
  return (
    <Callout tone="warn">
      <p>
        Deliveries are refused until you enter {settings.join(" and ")} in the{" "}
        <Link href={`${appPath}/settings`} className="underline underline-offset-2">
          app’s settings
        </Link>
        .
      </p>
    </Callout>
  );
}
