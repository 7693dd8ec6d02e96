import { Stat } from "@/components/ui/stat";
import type { Figures } from "@/lib/contract/overview";

const number = (value: number) => value.toLocaleString("en");

const share = (part: number, whole: number, of: string) =>
  whole > 0 ? `${Math.round((part / whole) * 100)} % of ${of}` : undefined;

/** What a campaign has brought since it began. */
export function Funnel({ figures }: { figures: Figures }) {
  const { clicked, assigned, confirmed, reversed, earned, claimed } = figures;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <Stat name="Clicked" value={number(clicked)} />
      <Stat name="Codes assigned" value={number(assigned)} note={share(assigned, clicked, "clicks")} />
      <Stat
        name="Confirmed"
        value={number(confirmed)}
        note={reversed > 0 ? `${number(reversed)} reversed` : share(confirmed, assigned, "codes")}
      />
      <Stat name="Rewards earned" value={number(earned)} />
      <Stat name="Rewards claimed" value={number(claimed)} note={share(claimed, earned, "rewards")} />
    </dl>
  );
}
