import { Badge } from "@/components/ui/badge";
import { ConfirmButton } from "@/components/ui/confirm";
import { LocalTime } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import { ProofFields, type Prover } from "./fields";

interface OAuthService {
  id: string;
  name: string;
  /** The time of connecting; null when it is not connected. */
  since: Date | null;
}

interface Props {
  services: readonly OAuthService[];
  prover: Prover;
  connect: FormAction<never>;
  disconnect: FormAction<void>;
}

/** Accounts of OAuth providers that sign in to this account. */
export function OAuthConnections({ services, prover, connect, disconnect }: Props) {
  return (
    <ul className="grid divide-y divide-line">
      {services.map(({ id, name, since }) => (
        <li key={id} className="flex min-h-14 flex-wrap items-center justify-between gap-3 py-2">
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
            <span className="font-medium">{name}</span>
            {since ? <Badge tone="good">Connected</Badge> : <Badge>Not connected</Badge>}
            {since && (
              <span className="text-note text-muted">
                since <LocalTime at={since} shape="day" />
              </span>
            )}
          </span>
          {since ? (
            <ConfirmButton
              action={disconnect}
              hidden={{ provider: id }}
              label="Disconnect"
              ariaLabel={`Disconnect ${name}`}
              look={{ size: "sm" }}
              title={`Disconnect ${name}`}
              description={
                <p>You can no longer sign in with {name}. You can connect it again at any time.</p>
              }
              submit="Disconnect"
              done={`${name} is disconnected`}
            >
              <ProofFields prover={prover} code={false} />
            </ConfirmButton>
          ) : (
            <ConfirmButton
              action={connect}
              hidden={{ provider: id }}
              label="Connect"
              ariaLabel={`Connect ${name}`}
              look={{ size: "sm" }}
              title={`Connect ${name}`}
              description={<p>We take you to {name} and back. After that, you can sign in with it.</p>}
              submit={`Continue to ${name}`}
            >
              <ProofFields prover={prover} code={false} />
            </ConfirmButton>
          )}
        </li>
      ))}
    </ul>
  );
}
