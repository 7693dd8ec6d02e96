"use client";

import { useRouter } from "next/navigation";
import { startTransition, useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { FormError, HiddenFields, SeenValues } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { CampaignView, DueRewards, ExampleAnswers, RulesUpdate } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount, formatNumber } from "@/lib/contract/format";
import type { PoolOption } from "@/lib/contract/pool";
import { CampaignError } from "./campaign-error";
import { CampaignFields } from "./campaign-fields";
import { DueRewardList } from "./due-rewards";
import { CampaignPreview, FormLayout, usePreviewed } from "./preview";

interface EditFormProps {
  action: FormAction<RulesUpdate>;
  appId: string;
  campaign: CampaignView;
  pools: readonly PoolOption[];
  examples: ExampleAnswers;
  /** The platforms whose store id the app has. */
  stores: readonly Platform[];
  landing: string;
  /** The rules by the names of the audit log. */
  seen: object;
  /** The path of the campaign's page. */
  back: string;
}

const total = (due: readonly DueRewards[]) => due.reduce((sum, { rewards }) => sum + rewards, 0);

/** Edits the rules of a campaign. When a change makes rewards due, the form asks before it saves anything. */
export function EditCampaignForm({
  action,
  appId,
  campaign,
  pools,
  examples,
  stores,
  landing,
  seen,
  back,
}: EditFormProps) {
  const router = useRouter();
  const [due, setDue] = useState<DueRewards[]>([]);
  const { state, pending, props } = useForm(action, (result) => {
    if (!result.saved) {
      // Together with the end of the attempt, because until then the dialog's button ignores clicks.
      startTransition(() => setDue(result.due));
      return false;
    }
    const granted = total(result.due);
    toast(granted > 0 ? `Saved. Granting ${formatCount(granted, "reward")}.` : "Saved");
    router.push(back);
    return true;
  });
  const { previewed, onInput } = usePreviewed(campaign, pools);
  const close = () => setDue([]);
  return (
    <FormLayout
      preview={
        <CampaignPreview
          stores={stores}
          previewed={previewed}
          pools={pools}
          examples={examples}
          landing={landing}
        />
      }
    >
      <form {...props} id="campaign" onInput={onInput} className="grid gap-5" noValidate>
        <HiddenFields values={{ appId, campaignId: campaign.id }} />
        <SeenValues values={seen} />
        <CampaignFields
          appId={appId}
          campaign={campaign}
          pools={pools}
          examples={examples}
          state={state}
          influencer={campaign.type === "influencer"}
          stores={stores}
          fresh={false}
        />
        <CampaignError state={state} />
        <div className="flex flex-col gap-2 sm:flex-row">
          <Button type="submit" pending={pending}>
            Save changes
          </Button>
          <Link href={back} className={buttonClass({ variant: "secondary" })}>
            Cancel
          </Link>
        </div>
      </form>
      <Dialog
        open={due.length > 0 && !state.error?.conflict}
        onClose={close}
        title={`Grant ${formatCount(total(due), "reward")}?`}
      >
        <div className="grid gap-4">
          <DueRewardList due={due} />
          <p className="text-sm text-muted">
            They are granted when you save. A higher threshold does not take them back.
          </p>
          <FormError state={state} />
          <Agree pending={pending} agreed={total(due)} onCancel={close} />
        </div>
      </Dialog>
    </FormLayout>
  );
}

/** Sends the form again with the confirmed number of rewards. */
function Agree({ pending, agreed, onCancel }: { pending: boolean; agreed: number; onCancel: () => void }) {
  return (
    <DialogActions>
      <Button variant="secondary" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" form="campaign" name="agreed" value={String(agreed)} pending={pending}>
        Save and grant {formatNumber(agreed)}
      </Button>
    </DialogActions>
  );
}
