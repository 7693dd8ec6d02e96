import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { LocalTime } from "@/components/ui/time";
import type { EndpointView } from "@/lib/contract/webhook-events";
import { eventsSummary } from "./endpoint-list";

/** Address, events and secret of one endpoint; a reader who does not see the `whole` address cannot copy it. */
export function EndpointFacts({ endpoint, whole }: { endpoint: EndpointView; whole: boolean }) {
  const { url, events, formerUntil, createdAt } = endpoint;
  const former = formerUntil && formerUntil.getTime() > Date.now() ? formerUntil : undefined;
  const facts = [
    {
      name: "Address",
      value: <code className="min-w-0 font-mono text-note wrap-anywhere">{url}</code>,
      action: whole && <CopyButton text={url} label="Copy the address" />,
    },
    { name: "Events", value: eventsSummary(events) },
    {
      name: "Signing secret",
      value: former ? (
        <span>
          Replaced; the old secret signs as well until <LocalTime at={former} />
        </span>
      ) : (
        <span className="text-muted">Shown once when it was created; replace it if it is lost</span>
      ),
    },
    { name: "Added", value: <LocalTime at={createdAt} /> },
  ];
  return <Facts facts={facts} />;
}
