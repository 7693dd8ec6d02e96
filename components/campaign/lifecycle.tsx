"use client";

import { Copy, Pause, Pencil, Play, Square } from "lucide-react";
import type { ReactNode } from "react";
import { ActButton } from "@/components/ui/act-button";
import { buttonClass } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm";
import { Link } from "@/components/ui/link";
import type { CampaignView, Outlook, Readiness } from "@/lib/contract/campaign-view";
import type { FormAction } from "@/lib/contract/form-state";
import { endConsequences, pauseConsequences, startConsequences } from "./consequences";

interface LifecycleProps {
  appId: string;
  campaign: CampaignView;
  outlook: Outlook;
  readiness: Readiness;
  edit: string;
  actions: {
    start: FormAction<void>;
    pause: FormAction<void>;
    end: FormAction<void>;
    duplicate: FormAction<never>;
  };
  /** A notice about missing parts, shown before the campaign starts. */
  missing: ReactNode;
}

const Consequences = ({ lines }: { lines: readonly string[] }) => (
  <ul className="grid list-disc gap-1.5 pl-4">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);

/** The actions for a campaign. Each states its consequences before it runs. */
export function Lifecycle({ appId, campaign, outlook, readiness, edit, actions, missing }: LifecycleProps) {
  const { id, name, status } = campaign;
  const hidden = { appId, campaignId: id };
  const situation = { campaign, outlook, readiness };
  const starts = status === "draft" ? "Activate" : "Resume";
  return (
    <div className="flex flex-wrap gap-2">
      {(status === "draft" || status === "paused") && (
        <ConfirmButton
          action={actions.start}
          hidden={{ ...hidden, ...(readiness.active && { replacing: readiness.active.id }) }}
          look={{ variant: "primary" }}
          label={starts}
          icon={Play}
          title={`${starts} “${name}”?`}
          description={<Consequences lines={startConsequences(situation)} />}
          submit={readiness.active ? `${starts} and pause the other` : starts}
          done={status === "draft" ? "The campaign is active" : "The campaign is active again"}
        >
          {missing}
        </ConfirmButton>
      )}
      {status === "active" && (
        <ConfirmButton
          action={actions.pause}
          hidden={hidden}
          label="Pause"
          icon={Pause}
          title={`Pause “${name}”?`}
          description={<Consequences lines={pauseConsequences(situation)} />}
          submit="Pause campaign"
          done="The campaign is paused"
        />
      )}
      {status !== "ended" && (
        <Link href={edit} className={buttonClass({ variant: "secondary" })}>
          <Pencil className="size-4" aria-hidden />
          Edit
        </Link>
      )}
      <ActButton action={actions.duplicate} hidden={hidden} look={{ size: "md" }}>
        <Copy className="size-4" aria-hidden />
        Duplicate
      </ActButton>
      {status !== "ended" && (
        <ConfirmButton
          action={actions.end}
          hidden={hidden}
          label="End"
          icon={Square}
          title={`End “${name}”?`}
          description={<Consequences lines={endConsequences(situation)} />}
          submit="End campaign"
          danger
          typed={name}
          done="The campaign has ended"
        />
      )}
    </div>
  );
}
