import { ActButton } from "@/components/ui/act-button";
import { Badge } from "@/components/ui/badge";
import { ConfirmButton } from "@/components/ui/confirm";
import type { RefillView, StoreOffer } from "@/lib/contract/code-request";
import type { FormAction } from "@/lib/contract/form-state";
import { formatNumber } from "@/lib/contract/format";
import type { PoolOption } from "@/lib/contract/pool";
import { RefillForm } from "./refill-form";

interface RefillActions {
  save: FormAction<void>;
  enable: FormAction<void>;
  remove: FormAction<void>;
}

interface Props {
  appId: string;
  pools: readonly PoolOption[];
  rules: readonly RefillView[];
  offers: readonly StoreOffer[];
  actions: RefillActions;
  mayChange: boolean;
}

/** The App Store pools, each with its refill rule. */
export function RefillList({ pools, rules, ...rest }: Props) {
  return (
    <ul
      aria-label="Refills"
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs"
    >
      {pools.map((pool) => {
        const rule = rules.find(({ poolId }) => poolId === pool.id);
        return (
          <li key={pool.id} className="grid gap-x-6 gap-y-3 px-5 py-3.5 sm:grid-cols-[minmax(0,1fr)_auto]">
            <div className="grid min-w-0 content-center gap-1">
              <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
                <span className="font-medium wrap-anywhere">{pool.name}</span>
                <RuleBadge rule={rule} />
              </p>
              <p className="text-note text-muted">
                {formatNumber(pool.free)} free. {rule ? <RuleText rule={rule} /> : "Filled by hand."}
              </p>
              {rule?.stopped && <p className="text-note text-bad">{rule.stoppedBecause}</p>}
            </div>
            {rest.mayChange && <RuleButtons {...rest} pool={pool} rule={rule} />}
          </li>
        );
      })}
    </ul>
  );
}

function RuleBadge({ rule }: { rule: RefillView | undefined }) {
  if (!rule) return null;
  if (!rule.enabled) return <Badge>Off</Badge>;
  return rule.stopped ? <Badge tone="bad">Stopped</Badge> : <Badge tone="good">On</Badge>;
}

function RuleText({ rule }: { rule: RefillView }) {
  const { amount, offerName, laterOffers, threshold, used, quarterCap } = rule;
  const offers = [offerName, ...laterOffers.map(({ name }) => name)].join(", then ");
  return (
    <>
      {formatNumber(amount)} × {offers} when {formatNumber(threshold)} or fewer are left. {formatNumber(used)}{" "}
      of {formatNumber(quarterCap)} requested this quarter.
    </>
  );
}

type ButtonsProps = Omit<Props, "pools" | "rules" | "mayChange"> & {
  pool: PoolOption;
  rule: RefillView | undefined;
};

function RuleButtons({ appId, offers, actions, pool, rule }: ButtonsProps) {
  const hidden = { appId, poolId: pool.id };
  // Most stops end automatically, so a stopped refill can be disabled as well as enabled.
  const choices = !rule?.enabled ? [true] : rule.stopped ? [true, false] : [false];
  return (
    <div className="flex flex-wrap content-center items-center gap-2">
      {rule &&
        choices.map((enabled) => (
          <ActButton
            key={String(enabled)}
            action={actions.enable}
            hidden={{ ...hidden, enabled: String(enabled) }}
            ariaLabel={`${enabled ? "Enable" : "Disable"} the refill of ${pool.name}`}
            done={enabled ? "Refill enabled" : "Refill disabled"}
          >
            {enabled ? "Enable" : "Disable"}
          </ActButton>
        ))}
      <RefillForm action={actions.save} appId={appId} pool={pool} offers={offers} rule={rule} />
      {rule && (
        <ConfirmButton
          label="Remove"
          ariaLabel={`Remove the refill of ${pool.name}`}
          look={{ size: "sm" }}
          action={actions.remove}
          hidden={hidden}
          title={`Remove the refill of ${pool.name}?`}
          description="No more codes are requested automatically. Codes already requested still arrive."
          submit="Remove refill"
          danger
          done="Refill removed"
        />
      )}
    </div>
  );
}
