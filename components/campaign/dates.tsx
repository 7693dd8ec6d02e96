import { LocalTime } from "@/components/ui/local-time";

/** From when to when a campaign runs. */
export function Dates({ startsAt, endsAt }: { startsAt: Date | null; endsAt: Date | null }) {
  if (!startsAt && !endsAt) return <span className="text-muted">No dates</span>;
  return (
    <span className="inline-flex flex-wrap gap-x-1.5">
      {startsAt && (
        <span>
          From <LocalTime at={startsAt} />
        </span>
      )}
      {endsAt && (
        <span>
          {startsAt ? "until" : "Until"} <LocalTime at={endsAt} />
        </span>
      )}
    </span>
  );
}
