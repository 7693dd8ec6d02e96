"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import type { ClaimResponse } from "@/lib/contract/claim";
import type { Platform } from "@/lib/contract/fields";
import type { FormAction } from "@/lib/contract/form-state";
import type { InfluencerView } from "@/lib/contract/influencer-view";
import { EditInfluencer } from "./edit-influencer";
import { GrantRewards } from "./grant-rewards";
import { HandOut } from "./hand-out";
import type { AskMetacode } from "./metacode-field";

export interface InfluencerActions {
  edit: FormAction<void>;
  status: FormAction<void>;
  ask: AskMetacode;
  /** Absent for people who may not take codes out of a pool. */
  byHand?: { grant: FormAction<{ numbers: number[] }>; handOut: FormAction<ClaimResponse> };
}

interface Props {
  appId: string;
  influencer: InfluencerView;
  platforms: readonly Platform[];
  actions: InfluencerActions;
}

type Open = "edit" | "grant" | "hand-out" | "pause" | "end";

/** What can be done with an influencer. */
export function InfluencerMenu({ appId, influencer, platforms, actions }: Props) {
  const [open, setOpen] = useState<Open>();
  const name = influencer.name ?? influencer.metacode;
  const close = () => setOpen(undefined);
  const { byHand } = actions;
  const common = { appId, influencer, onClose: close };
  const paused = influencer.status === "paused";
  const ended = influencer.status === "ended";
  return (
    <>
      <Menu label={`Actions for ${name}`}>
        <MenuItem onSelect={() => setOpen("edit")} disabled={ended}>
          Edit
        </MenuItem>
        <MenuItem onSelect={() => setOpen("grant")} disabled={ended || !byHand}>
          Grant rewards
        </MenuItem>
        <MenuItem
          onSelect={() => setOpen("hand-out")}
          disabled={influencer.earned === influencer.claimed || !byHand}
        >
          Hand out codes
        </MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => setOpen("pause")} disabled={ended}>
          {paused ? "Resume" : "Pause"}
        </MenuItem>
        <MenuItem onSelect={() => setOpen("end")} disabled={ended} tone="danger">
          End
        </MenuItem>
      </Menu>
      <EditInfluencer {...common} open={open === "edit"} action={actions.edit} ask={actions.ask} />
      {byHand && (
        <>
          <GrantRewards {...common} open={open === "grant"} platforms={platforms} action={byHand.grant} />
          <HandOut {...common} open={open === "hand-out"} action={byHand.handOut} />
        </>
      )}
      <ConfirmDialog
        open={open === "pause"}
        onClose={close}
        action={actions.status}
        hidden={{ appId, referrerId: influencer.id, status: paused ? "active" : "paused" }}
        title={paused ? `Resume ${name}?` : `Pause ${name}?`}
        description={
          paused
            ? "The metacode gives codes again, where the campaign is active."
            : "The metacode answers 404 METACODE_NOT_FOUND, and the link says that the invitation is paused. Rewards stay claimable."
        }
        submit={paused ? "Resume" : "Pause"}
        done={paused ? `${name} is active` : `${name} is paused`}
      />
      <ConfirmDialog
        open={open === "end"}
        onClose={close}
        action={actions.status}
        hidden={{ appId, referrerId: influencer.id, status: "ended" }}
        title={`End ${name}?`}
        description="This cannot be undone. The metacode answers 404 METACODE_NOT_FOUND for good and nobody else can have it. Open referrals can still be confirmed, and rewards stay claimable."
        submit="End"
        danger
        typed={influencer.metacode}
        done={`${name} has ended`}
      />
    </>
  );
}
