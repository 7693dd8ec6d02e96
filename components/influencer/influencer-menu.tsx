"use client";

import type { CheckMetacode } from "@/components/referrer/metacode-state";
import { ConfirmDialog } from "@/components/ui/confirm";
import { ResourceMenu } from "@/components/ui/resource-menu";
import type { ClaimResponse } from "@/lib/contract/claim";
import type { Platform } from "@/lib/contract/fields";
import type { FormAction } from "@/lib/contract/form-state";
import type { InfluencerView } from "@/lib/contract/influencer-view";
import { EditInfluencer } from "./influencer-forms";
import { ClaimRewards, GrantRewards } from "./rewards-by-hand";

export interface InfluencerActions {
  edit: FormAction<void>;
  status: FormAction<void>;
  check: CheckMetacode;
  /** Absent for roles that may not take codes out of a pool. */
  byHand?: { grant: FormAction<{ numbers: number[] }>; claim: FormAction<ClaimResponse> };
}

interface Props {
  appId: string;
  influencer: InfluencerView;
  platforms: readonly Platform[];
  actions: InfluencerActions;
}

/** The actions for an influencer. */
export function InfluencerMenu({ appId, influencer, platforms, actions }: Props) {
  const { id, metacode, status, earned, claimed, withdrawn } = influencer;
  const { byHand } = actions;
  const name = influencer.name ?? metacode;
  const paused = status === "paused";
  const ended = status === "ended";
  const common = { appId, influencer };
  return (
    <ResourceMenu
      label={`Actions for ${name}`}
      actions={[
        {
          label: "Edit",
          disabled: ended,
          dialog: (dialog) => (
            <EditInfluencer {...common} {...dialog} action={actions.edit} check={actions.check} />
          ),
        },
        {
          label: "Grant rewards",
          disabled: ended || !byHand,
          dialog: (dialog) =>
            byHand && <GrantRewards {...common} {...dialog} platforms={platforms} action={byHand.grant} />,
        },
        {
          label: "Claim rewards",
          disabled: earned === claimed + withdrawn || !byHand,
          dialog: (dialog) => byHand && <ClaimRewards {...common} {...dialog} action={byHand.claim} />,
        },
        {
          label: paused ? "Resume" : "Pause",
          disabled: ended,
          dialog: (dialog) => (
            <ConfirmDialog
              {...dialog}
              action={actions.status}
              hidden={{ appId, referrerId: id, status: paused ? "active" : "paused" }}
              title={paused ? `Resume ${name}?` : `Pause ${name}?`}
              description={
                paused
                  ? "The metacode works again while its campaign is active."
                  : "The metacode stops working, and its link says that the invitation is paused. Rewards stay claimable."
              }
              submit={paused ? "Resume" : "Pause"}
              done={paused ? `${name} is active` : `${name} is paused`}
            />
          ),
        },
        {
          label: "End",
          disabled: ended,
          danger: true,
          dialog: (dialog) => (
            <ConfirmDialog
              {...dialog}
              action={actions.status}
              hidden={{ appId, referrerId: id, status: "ended" }}
              title={`End ${name}?`}
              description="This cannot be undone. The metacode stops working for good and stays reserved. Open referrals can still be confirmed, and rewards stay claimable."
              submit="End"
              danger
              typed={metacode}
              done={`${name} has ended`}
            />
          ),
        },
      ]}
    />
  );
}
