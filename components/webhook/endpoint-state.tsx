import { Badge } from "@/components/ui/badge";
import { Callout } from "@/components/ui/callout";
import { LocalTime } from "@/components/ui/time";
import type { EndpointView } from "@/lib/contract/webhook-events";

type State = Pick<EndpointView, "enabled" | "failingSince" | "slowedUntil" | "disabledReason" | "disabledAt">;

/** The health of an endpoint as a badge. */
export function EndpointBadge({
  endpoint,
}: {
  endpoint: Pick<State, "enabled" | "failingSince" | "disabledReason">;
}) {
  const { enabled, failingSince, disabledReason } = endpoint;
  if (enabled) return failingSince ? <Badge tone="warn">Failing</Badge> : <Badge tone="good">Enabled</Badge>;
  return disabledReason === "gone" || disabledReason === "failing" ? (
    <Badge tone="bad">Disabled</Badge>
  ) : (
    <Badge tone="neutral">Disabled</Badge>
  );
}

/** The reason why an endpoint fails or was disabled, and the next step. Renders nothing for a healthy endpoint. */
export function EndpointNotice({ endpoint }: { endpoint: State }) {
  const { enabled, failingSince, slowedUntil, disabledReason, disabledAt } = endpoint;
  if (!enabled && disabledAt && disabledReason !== "owner") {
    return (
      <Callout tone="bad">
        <p>
          {disabledReason === "gone"
            ? "The endpoint returned 410 (gone). "
            : "Nothing got through for five days. "}
          It was disabled on <LocalTime at={disabledAt} />. Pending deliveries are sent when you enable it,
          events from the time in between are not.
        </p>
      </Callout>
    );
  }
  if (!enabled || !failingSince) return null;
  const slowed = slowedUntil && slowedUntil.getTime() > Date.now() ? slowedUntil : undefined;
  return (
    <Callout tone="warn">
      <p>
        Nothing has got through since <LocalTime at={failingSince} />. Failed deliveries are retried; after
        five days without a success the endpoint is disabled.
      </p>
      {slowed && (
        <p>
          It failed several times in a row, so the next attempt is at <LocalTime at={slowed} shape="second" />
          .
        </p>
      )}
    </Callout>
  );
}
