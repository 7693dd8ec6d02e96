import { Facts } from "@/components/dashboard/facts";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { LocalTime } from "@/components/ui/local-time";
import { Near } from "@/components/ui/time";
import type { ConnectionHealth, ConnectionView, ProviderGuide } from "@/lib/contract/provider";
import { DayCounts } from "./connection-list";

interface Props {
  connection: ConnectionView;
  guide: ProviderGuide;
  health: ConnectionHealth;
}

function Last({ health: { last } }: Pick<Props, "health">) {
  if (!last) return <span>Nothing received yet</span>;
  return (
    <span>
      <span className="font-mono text-[13px]">{last.type}</span> <Near at={last.at} />
    </span>
  );
}

const REMEDIES: Record<ProviderGuide["secretFrom"], (label: string) => string> = {
  us: (label) =>
    `Compare the secret at ${label} with the one you stored, or change it here and type it in there again.`,
  provider: (label) => `Copy the secret from ${label} again and enter it here.`,
  nobody: (label) => `Compare the ids in the settings of the app with those that ${label} has for it.`,
};

interface SecretProps {
  guide: ProviderGuide;
  former: Date | undefined;
  waiting: boolean;
}

function SecretState({ guide, former, waiting }: SecretProps) {
  if (waiting) return <span>Not entered yet</span>;
  if (former) {
    return (
      <span>
        Changed; the old one is taken until <LocalTime at={former} />
      </span>
    );
  }
  const words =
    guide.secretFrom === "us" ? "Shown once when it was made; change it if it is lost" : "Entered";
  return <span className="text-muted">{words}</span>;
}

function OwnNames({ connection: { ownNames } }: Pick<Props, "connection">) {
  const names = Object.entries(ownNames?.events ?? {}).map(([own, documented]) => `${own} = ${documented}`);
  const all = [...names, ...(ownNames?.userIdKey ? [`metadata.${ownNames.userIdKey}`] : [])];
  if (all.length === 0) return <span className="text-muted">None</span>;
  return <span className="min-w-0 font-mono text-[13px] break-words">{all.join(", ")}</span>;
}

/** Address, secrets and health of one connection. */
export function ConnectionFacts({ connection, guide, health }: Props) {
  const { url, signed, waiting, formerUntil, refusedAt } = connection;
  const former = formerUntil && formerUntil.getTime() > Date.now() ? formerUntil : undefined;
  const facts = [
    {
      name: "Address",
      value: <code className="min-w-0 font-mono text-[13px] break-all">{url}</code>,
      action: <CopyButton text={url} label="Copy the address" />,
    },
    ...(guide.secretFrom === "nobody"
      ? []
      : [{ name: guide.secretLabel, value: <SecretState {...{ guide, former, waiting }} /> }]),
    ...(guide.signingSecretLabel
      ? [{ name: guide.signingSecretLabel, value: signed ? "Required" : "Not used" }]
      : []),
    ...(guide.ownNames ? [{ name: "Names of your own", value: <OwnNames connection={connection} /> }] : []),
    { name: "Last event", value: <Last health={health} /> },
    { name: "Lately", value: <DayCounts health={health} /> },
  ];
  return (
    <>
      {refusedAt && !waiting && (!health.last || refusedAt > health.last.at) && (
        <Callout tone="bad">
          <p>
            A delivery was refused <Near at={refusedAt} />, because its proof was missing or wrong.
          </p>
          <p>{REMEDIES[guide.secretFrom](guide.label)}</p>
        </Callout>
      )}
      <Facts facts={facts} />
    </>
  );
}
