import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { Filter, Filters, SearchBox } from "@/components/ui/filters";
import type { RequestFilters as Given } from "@/lib/contract/request-line";
import { CODE_CHOICES, ENDPOINT_CHOICES, OUTCOME_CHOICES, timeChoices } from "./outcome";

interface Props {
  path: string;
  filters: Given;
  keys: readonly { value: string; name: string }[];
  /** For how many days requests are kept. */
  days: number;
}

/** What of the request log is wanted. */
export function RequestFilters({ path, filters, keys, days }: Props) {
  const { outcome, code, endpoint, key, time, id } = filters;
  const filtered = [outcome, code, endpoint, key, time, id].some(Boolean);
  return (
    <Filters>
      <SearchBox name="id" label="Request id" value={id} placeholder="Request id, exactly" />
      <Filter name="outcome" label="Outcome" value={outcome} choices={OUTCOME_CHOICES} all="Any outcome" />
      <Filter name="code" label="Error code" value={code} choices={CODE_CHOICES} all="Any error" />
      <Filter
        name="endpoint"
        label="Endpoint"
        value={endpoint}
        choices={ENDPOINT_CHOICES}
        all="Any endpoint"
      />
      <Filter name="key" label="API key" value={key} choices={keys} all="Any key" />
      <Filter name="time" label="Time" value={time} choices={timeChoices(days)} all="Any time" />
      {filtered && (
        <Link href={path} prefetch={false} className={buttonClass({ variant: "ghost", size: "sm" })}>
          Clear
        </Link>
      )}
    </Filters>
  );
}
