import { Badge } from "@/components/ui/badge";
import { Callout } from "@/components/ui/callout";
import { LocalTime } from "@/components/ui/local-time";
import type { EndpointView } from "@/lib/contract/webhook-events";

type State = Pick<EndpointView, "enabled" | "failingSince" | "slowedUntil" | "disabledReason" | "disabledAt">;

/** How an endpoint does, in one word. */
export function EndpointBadge({
  endpoint,
}: {
  endpoint: Pick<State, "enabled" | "failingSince" | "disabledReason">;
}) {
  const { enabled, failingSince, disabledReason } = endpoint;
  if (enabled) return failingSince ? <Badge tone="warn">Failing</Badge> : <Badge tone="good">On</Badge>;
  return disabledReason === "gone" || disabledReason === "failing" ? (
    <Badge tone="bad">Switched off</Badge>
  ) : (
    <Badge tone="neutral">Off</Badge>
  );
}

/** What is wrong with an endpoint and what happens next; nothing where all is well. */
export function EndpointTrouble({ endpoint }: { endpoint: State }) {
  const { enabled, failingSince, slowedUntil, disabledReason, disabledAt } = endpoint;
  if (!enabled && disabledAt && disabledReason !== "owner") {
    return (
      <Callout tone="bad">
        <p>
          {disabledReason === "gone"
            ? "It answered 410, which means that it wants no more events. "
            : "Nothing got through for five days. "}
          It was switched off <LocalTime at={disabledAt} />. What waits is sent when you switch it on again.
        </p>
      </Callout>
    );
  }
  if (!enabled || !failingSince) return null;
  const slowed = slowedUntil && slowedUntil.getTime() > Date.now() ? slowedUntil : undefined;
  return (
    <Callout tone="warn">
      <p>
        Nothing has got through since <LocalTime at={failingSince} />. Failed deliveries are tried again;
        after five days without a success the endpoint is switched off.
      </p>
      {slowed && (
        <p>
          It failed several times in a row, so the next delivery is tried{" "}
          <LocalTime at={slowed} shape="second" />.
        </p>
      )}
    </Callout>
  );
}
