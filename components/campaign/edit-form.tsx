"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FormError } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { CampaignView, PoolChoice } from "@/lib/contract/campaign-view";
import type { DueRewards } from "@/lib/contract/due-rewards";
import type { FormAction } from "@/lib/contract/form-state";
import { CampaignFields, FIELDS } from "./campaign-fields";
import { DueList } from "./due-list";
import { FormLayout } from "./form-layout";
import { type AnswerOf, Preview, useShown } from "./preview";

interface Saved {
  saved: boolean;
  due: DueRewards[];
}

export interface EditFormProps {
  action: FormAction<Saved>;
  appId: string;
  campaign: CampaignView;
  pools: readonly PoolChoice[];
  answerOf: AnswerOf;
  landing: string;
  /** The campaign's own page. */
  back: string;
}

const total = (due: readonly DueRewards[]) => due.reduce((sum, { rewards }) => sum + rewards, 0);

/** The rules of a campaign. Where they make rewards due it says how many, and asks, before anything is saved. */
export function EditCampaignForm({ action, appId, campaign, pools, answerOf, landing, back }: EditFormProps) {
  const router = useRouter();
  const [due, setDue] = useState<DueRewards[]>([]);
  const { state, pending, props } = useForm(action, (result) => {
    if (!result.saved) return setDue(result.due);
    const granted = total(result.due);
    toast(granted > 0 ? `Saved, and ${granted.toLocaleString("en")} rewards are granted` : "Saved");
    router.push(back);
  });
  const { shown, onInput } = useShown(campaign, pools);
  const close = () => setDue([]);
  return (
    <FormLayout preview={<Preview {...{ shown, pools, answerOf, landing }} />}>
      <form {...props} id="campaign" onInput={onInput} className="grid gap-5" noValidate>
        <input type="hidden" name="appId" value={appId} />
        <input type="hidden" name="campaignId" value={campaign.id} />
        <CampaignFields
          {...{ campaign, pools, answerOf, state }}
          influencer={campaign.type === "influencer"}
          fresh={false}
        />
        <FormError state={state} fields={FIELDS} />
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
        open={due.length > 0}
        onClose={close}
        title={`Grant ${total(due).toLocaleString("en")} rewards?`}
      >
        <div className="grid gap-4">
          <DueList due={due} />
          <p className="text-sm text-muted">
            They are granted when you save. A reward that is granted is never taken back, not even by a higher
            threshold.
          </p>
          <FormError state={state} />
          <Agree pending={pending} agreed={total(due)} onCancel={close} />
        </div>
      </Dialog>
    </FormLayout>
  );
}

/** Sends the form again, with the number that was shown. */
function Agree({ pending, agreed, onCancel }: { pending: boolean; agreed: number; onCancel: () => void }) {
  return (
    <div className="grid gap-2">
      <Button type="submit" form="campaign" name="agreed" value={String(agreed)} pending={pending}>
        Save and grant {agreed.toLocaleString("en")}
      </Button>
      <Button variant="secondary" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
