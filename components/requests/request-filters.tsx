import { buttonClass } from "@/components/ui/button";
import { Filter, Filters, SearchBox } from "@/components/ui/filters";
import { Link } from "@/components/ui/link";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { DAY_MS, isoDay } from "@/lib/contract/format";
import {
  LOGGED_ENDPOINTS,
  OUTCOMES,
  REQUEST_PERIODS,
  type RequestFilters,
} from "@/lib/contract/request-line";

const OUTCOME_NAMES = { answered: "Succeeded (2xx)", refused: "Refused (4xx)", failed: "Failed (5xx)" };

const OUTCOME_CHOICES = OUTCOMES.map((value) => ({ value, name: OUTCOME_NAMES[value] }));

const CODE_CHOICES = Object.keys(ERROR_HELP)
  .sort()
  .map((value) => ({ value, name: value }));

const ENDPOINT_CHOICES = LOGGED_ENDPOINTS.map((value) => ({ value, name: `/${value}` }));

const PERIOD_NAMES = { "15m": "Last 15 minutes", "1h": "Last hour", "24h": "Last 24 hours" };

/** The periods, and each day (UTC) that the log still holds. */
function timeChoices(days: number) {
  const names = Array.from({ length: days }, (_, index) => isoDay(Date.now() - index * DAY_MS));
  return [
    ...REQUEST_PERIODS.map((value) => ({ value, name: PERIOD_NAMES[value] })),
    ...names.map((value) => ({ value, name: `${value} (UTC)` })),
  ];
}

interface Props {
  path: string;
  filters: RequestFilters;
  /** The keys and connections. */
  callers: readonly { value: string; name: string }[];
  /** Number of days for which requests are listed. */
  days: number;
}

/** The filters of the request log. */
export function RequestFilterBar({ path, filters, callers, days }: Props) {
  const { outcome, code, endpoint, key, time, id } = filters;
  const filtered = [outcome, code, endpoint, key, time, id].some(Boolean);
  return (
    <Filters>
      <SearchBox name="id" label="Request ID" value={id} />
      <Filter name="outcome" label="Outcome" value={outcome} choices={OUTCOME_CHOICES} all="Any outcome" />
      <Filter name="code" label="Error code" value={code} choices={CODE_CHOICES} all="Any error" />
      <Filter
        name="endpoint"
        label="Endpoint"
        value={endpoint}
        choices={ENDPOINT_CHOICES}
        all="Any endpoint"
      />
      <Filter name="key" label="Caller" value={key} choices={callers} all="Any caller" />
      <Filter name="time" label="Time" value={time} choices={timeChoices(days)} all="Any time" />
      {filtered && (
        <Link href={path} className={buttonClass({ variant: "ghost", size: "sm" })}>
          Clear
        </Link>
      )}
    </Filters>
  );
}
