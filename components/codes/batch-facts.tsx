import { Facts } from "@/components/dashboard/facts";
import { LocalTime } from "@/components/ui/local-time";
import { Stat } from "@/components/ui/stat";
import type { BatchView } from "./types";
import { counted } from "./words";

/** What a batch is, and where its codes are. */
export function BatchFacts({ batch, importer }: { batch: BatchView; importer: string | undefined }) {
  const { free, quarantined, expired, given, confirmed, size } = batch;
  const left: [string, number][] = [["Free", free]];
  if (quarantined > 0) left.push(["Quarantined", quarantined]);
  if (expired > 0) left.push(["Expired", expired]);
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {left.map(([name, count]) => (
          <Stat key={name} name={name} value={counted(count)} />
        ))}
        <Stat name="Given" value={counted(given)} />
        <Stat name="Confirmed" value={counted(confirmed)} />
        <Stat name="In this batch" value={counted(size)} />
      </dl>
      <Facts
        facts={[
          { name: "Kind", value: batch.kind === "custom" ? "Custom code" : "One-time codes" },
          { name: "Offer", value: batch.offer ?? "Not named" },
          {
            name: "Expires",
            value: batch.expiresAt ? <LocalTime at={batch.expiresAt} /> : "Never",
          },
          { name: "Origin", value: batch.origin ?? "Typed in" },
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
