import { ActButton } from "@/components/ui/act-button";
import { Badge } from "@/components/ui/badge";
import { ConfirmButton } from "@/components/ui/confirm";
import type { RefillView, StoreOffer } from "@/lib/contract/code-request";
import type { FormAction } from "@/lib/contract/form-state";
import type { StorePool } from "./choices";
import { RefillForm } from "./refill-form";

interface RefillActions {
  save: FormAction<void>;
  turn: FormAction<void>;
  remove: FormAction<void>;
}

interface Props {
  appId: string;
  pools: readonly StorePool[];
  rules: readonly RefillView[];
  offers: readonly StoreOffer[];
  actions: RefillActions;
  mayChange: boolean;
}

const counted = (count: number) => count.toLocaleString("en");

/** The App Store's pools, each with how it fills itself up. */
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
                <span className="font-medium break-words">{pool.name}</span>
                <RuleBadge rule={rule} />
              </p>
              <p className="text-[13px] text-muted">
                {counted(pool.free)} free. {rule ? <RuleWords rule={rule} /> : "Filled by hand."}
              </p>
              {rule?.stopped && <p className="text-[13px] text-bad">{rule.stoppedBecause}</p>}
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

function RuleWords({ rule }: { rule: RefillView }) {
  const { amount, offerName, threshold, used, quarterCap } = rule;
  return (
    <>
      {counted(amount)} × {offerName} when {counted(threshold)} or fewer are left. {counted(used)} of{" "}
      {counted(quarterCap)} asked for this quarter.
    </>
  );
}

type ButtonsProps = Omit<Props, "pools" | "rules" | "mayChange"> & {
  pool: StorePool;
  rule: RefillView | undefined;
};

function RuleButtons({ appId, offers, actions, pool, rule }: ButtonsProps) {
  const hidden = { appId, poolId: pool.id };
  const on = rule?.enabled && !rule.stopped;
  return (
    <div className="flex flex-wrap content-center items-center gap-2">
      {rule && (
        <ActButton
          action={actions.turn}
          hidden={{ ...hidden, enabled: String(!on) }}
          ariaLabel={`Switch ${on ? "off" : "on"} the refill of ${pool.name}`}
          done={on ? "Switched off" : "Switched on"}
        >
          {on ? "Switch off" : "Switch on"}
        </ActButton>
      )}
      <RefillForm action={actions.save} appId={appId} pool={pool} offers={offers} rule={rule} />
      {rule && (
        <ConfirmButton
          label="Remove"
          ariaLabel={`Remove the refill of ${pool.name}`}
          look={{ size: "sm" }}
          action={actions.remove}
          hidden={hidden}
          title={`Fill ${pool.name} by hand?`}
          description="It no longer asks for codes by itself. What was asked for still comes."
          submit="Remove the refill"
          danger
          done="The refill was removed"
        />
      )}
    </div>
  );
}
