import { CsvLink } from "@/components/ui/csv-link";
import { Section } from "@/components/ui/section";
import { LocalTime } from "@/components/ui/time";
import { type AccountEventLine, accountLabel } from "@/lib/contract/account-events";

interface Props {
  events: readonly AccountEventLine[];
  /** The path of the page, below which the whole log can be downloaded. */
  path: string;
}

/** The newest sign-ins, failed attempts, and changes of the name and the ways to sign in. */
export function SecurityLog({ events, path }: Props) {
  return (
    <Section
      title="Security log"
      hint="Your newest sign-ins and security changes. Entries are kept for 180 days; only you see them."
      action={<CsvLink path={path} query={{}} />}
    >
      {events.length === 0 && <p className="text-sm text-muted">No entries yet.</p>}
      <ul aria-label="Security log" className="-my-2 grid divide-y divide-line">
        {events.map(({ id, at, action, detail, address }) => (
          <li key={id} className="grid gap-x-6 gap-y-0.5 py-2.5 text-sm sm:grid-cols-[minmax(0,1fr)_auto]">
            <span className="min-w-0">
              <span className="font-medium">{accountLabel(action)}</span>
              {detail && <span>: {detail}</span>}
            </span>
            <span className="text-note text-muted tabular-nums sm:row-span-2">
              <LocalTime at={at} />
            </span>
            <span className="text-note wrap-anywhere text-muted">
              {address === "unknown" ? "Unknown address" : address}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
