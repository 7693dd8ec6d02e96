import { CopyCode, ReplaceCode } from "@/components/referral/code-actions";
import { RestoreReward, WithdrawReward } from "@/components/referral/support-actions";
import { Badge } from "@/components/ui/badge";
import { CodeName } from "@/components/ui/code-text";
import { type Column, Table } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import { PLATFORM_NAME } from "@/lib/contract/format";
import { isErased, shownUid } from "@/lib/contract/influencer";
import type { RewardView } from "@/lib/contract/timeline";

interface Props {
  appId: string;
  retryHours?: number;
  /** The user ID of the page; unclaimed rewards of an erased user are lost. */
  uid?: string;
  rewards: readonly RewardView[];
  actions: {
    replace?: FormAction<{ code: string }> | undefined;
    reveal?: FormAction<{ code: string }> | undefined;
    withdraw?: FormAction<void> | undefined;
    restore?: FormAction<void> | undefined;
  };
}

/** The reasons why a reward waits, shown below its badge, where the text wraps on a phone and leaves the buttons in view. */
const WAIT_LABELS: Record<NonNullable<RewardView["waitsFor"]>, string> = {
  no_pool: "No pool chosen",
  no_codes: "No codes left",
  quarantined: "Codes in quarantine",
  same_offer: "No other offer",
  budget: "Budget used up",
};

/** The platform of a code, if it differs from the platform of the friends who earned the reward. */
const otherStore = ({ platform, paidOn }: Pick<RewardView, "platform" | "paidOn">): string =>
  paidOn === platform ? "" : ` for ${PLATFORM_NAME[paidOn]}`;

/** The rewards of a referrer, or of several referrers of one person, with the actions for their codes. */
export function RewardList({ rewards, ...rest }: Props) {
  // Several metacodes, because two ids of a person were joined.
  const several = rewards.some(({ metacode }) => metacode !== rewards[0]?.metacode);
  const columns: Column<RewardView>[] = [
    {
      header: "Reward",
      cell: ({ rewardNumber, platform }) => `${PLATFORM_NAME[platform]} ${rewardNumber}`,
    },
    ...(several
      ? [{ header: "Metacode", cell: ({ metacode }: RewardView) => <CodeName name={metacode} /> }]
      : []),
    {
      header: "Status",
      cell: ({ status, waitsFor, ...reward }) => {
        if (status === "claimed") return <Badge tone="good">Claimed</Badge>;
        if (status === "withdrawn") return <Badge tone="bad">Withdrawn</Badge>;
        if (isErased(rest.uid ?? "")) return <Badge tone="neutral">Lost</Badge>;
        return waitsFor ? (
          <span className="grid justify-items-start gap-0.5">
            <Badge tone="warn">Waiting</Badge>
            <span className="text-note text-muted">
              {WAIT_LABELS[waitsFor]}
              {waitsFor !== "budget" && otherStore(reward)}
            </span>
          </span>
        ) : (
          <Badge tone="accent">Available</Badge>
        );
      },
    },
    { header: "Campaign", wide: true, cell: ({ campaign }) => campaign },
    {
      header: "Code",
      cell: ({ code, replaced, codeTrouble, ...reward }) => (
        <span>
          <code className="font-mono text-note whitespace-nowrap">{code}</code>
          {code && <span className="text-note text-muted">{otherStore(reward)}</span>}
          {codeTrouble && <span className="text-note text-muted"> {codeTrouble}</span>}
          {replaced && <span className="text-note text-muted"> replaced</span>}
        </span>
      ),
    },
    {
      header: "Earned",
      wide: true,
      cell: ({ createdAt }) => (
        <span className="text-muted">
          <RelativeTime at={createdAt} />
        </span>
      ),
    },
    { header: "", cell: (reward) => <RewardActions reward={reward} {...rest} /> },
  ];
  const any = Object.values(rest.actions).some(Boolean);
  return (
    <Table
      label="Rewards"
      columns={any ? columns : columns.slice(0, -1)}
      rows={rewards}
      rowKey={({ id }) => id}
    />
  );
}

function RewardActions(props: Omit<Props, "rewards"> & { reward: RewardView }) {
  const { appId, retryHours = 0, reward, actions, uid } = props;
  const { id, code, codeId, status } = reward;
  const name = `reward ${PLATFORM_NAME[reward.platform]} ${reward.rewardNumber}`;
  const ofCode = { appId, assignmentId: id };
  const own = { appId, rewardId: id, name };
  return (
    <div className="flex justify-end gap-2 max-sm:flex-col max-sm:items-end">
      {status === "earned" && actions.withdraw && <WithdrawReward action={actions.withdraw} {...own} />}
      {status === "withdrawn" && actions.restore && <RestoreReward action={actions.restore} {...own} />}
      {code && codeId && actions.reveal && (
        <CopyCode action={actions.reveal} {...ofCode} ariaLabel={`Copy code of ${name}`} />
      )}
      {code && codeId && actions.replace && (
        <ReplaceCode
          action={actions.replace}
          {...ofCode}
          codeId={codeId}
          holder="referrer"
          retryHours={retryHours}
          noUser={uid !== undefined && !shownUid(uid)}
          ariaLabel={`Replace code of ${name}`}
        />
      )}
    </div>
  );
}
