import { Facts } from "@/components/ui/facts";
import { Stat } from "@/components/ui/stat";
import { LocalTime } from "@/components/ui/time";
import type { BatchView } from "@/lib/contract/batch";
import { formatNumber } from "@/lib/contract/format";
import { expiredLabel } from "./labels";

/** The properties of a batch, and its codes by status. */
export function BatchFacts({ batch, importer }: { batch: BatchView; importer: string | undefined }) {
  const { free, reserved, quarantined, expired, assigned, confirmed, size } = batch;
  const left: [string, number][] = [["Free", free]];
  if (reserved > 0) left.push(["Set aside", reserved]);
  if (quarantined > 0) left.push(["Quarantined", quarantined]);
  if (expired > 0) left.push([expiredLabel(batch), expired]);
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {left.map(([name, count]) => (
          <Stat key={name} name={name} value={formatNumber(count)} />
        ))}
        <Stat name="Assigned" value={formatNumber(assigned)} />
        <Stat name="Confirmed" value={formatNumber(confirmed)} />
        <Stat name="In this batch" value={formatNumber(size)} />
      </dl>
      <Facts
        facts={[
          { name: "Type", value: batch.kind === "custom" ? "Custom code" : "One-time codes" },
          { name: "Offer", value: batch.offer ?? "Unnamed" },
          {
            name: "Expires",
            value: batch.expiresAt ? <LocalTime at={batch.expiresAt} /> : "Never",
          },
          { name: "Origin", value: batch.origin ?? "Entered by hand" },
          {
            name: "Imported",
            value: (
              <span>
                <LocalTime at={batch.createdAt} />
                {importer && ` by ${importer}`}
              </span>
            ),
          },
        ]}
      />
    </>
  );
}
