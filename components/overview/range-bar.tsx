import { DayFields, Filter, Filters } from "@/components/ui/filters";
import { Link } from "@/components/ui/link";
import { platformChoices } from "@/lib/contract/format";
import { type OverviewQuery, RANGES, type Trend } from "@/lib/contract/overview";
import { overviewAddress } from "./address";
import { RANGE_NAMES } from "./labels";

interface Props {
  appId: string;
  query: OverviewQuery;
  trend: Trend;
  campaigns: { id: string; name: string }[];
}

const PLATFORM_CHOICES = platformChoices();

/** The filters of the figures: period, campaign and platform, all in the address bar. */
export function RangeBar({ appId, query, trend, campaigns }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <nav
        aria-label="Range"
        className="flex flex-wrap rounded-md border border-line bg-surface p-0.5 text-note shadow-xs"
      >
        {[...RANGES, "custom" as const].map((range) => (
          <Link
            key={range}
            href={overviewAddress(appId, query, { range, from: trend.from, to: trend.until })}
            scroll={false}
            aria-current={range === query.range ? "true" : undefined}
            className="grid h-7.5 place-items-center rounded-sm px-2.5 whitespace-nowrap text-muted hover:text-ink aria-[current]:bg-subtle aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:h-9.5"
          >
            {range === "custom" ? "Custom" : RANGE_NAMES[range].short}
          </Link>
        ))}
      </nav>
      <Filters>
        <input type="hidden" name="range" value={query.range} />
        <input type="hidden" name="step" value={query.step} />
        {query.table && <input type="hidden" name="table" value={query.table} />}
        {query.range === "custom" && <DayFields from={trend.from} to={trend.until} />}
        <Filter
          name="campaign"
          label="Campaign"
          all="All campaigns"
          value={query.campaign}
          choices={campaigns.map(({ id, name }) => ({ value: id, name }))}
        />
        <Filter
          name="platform"
          label="Platform"
          all="Both platforms"
          value={query.platform}
          choices={PLATFORM_CHOICES}
        />
      </Filters>
    </div>
  );
}
