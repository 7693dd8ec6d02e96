"use client";

import { Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmButton, ConfirmDialog, ReasonField } from "@/components/ui/confirm";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { inputClass } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { APP_RANGES } from "@/lib/contract/app";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount } from "@/lib/contract/format";

interface CopyProps {
  action: FormAction<{ code: string }>;
  appId: string;
  assignmentId: string;
  /** A name for screen readers, when a list has several and no room for long labels. */
  ariaLabel?: string;
}

/** Copies the whole code. If the browser blocks this, a dialog shows the code for copying by hand. */
export function CopyCode({ action, appId, assignmentId, ariaLabel }: CopyProps) {
  const [asking, setAsking] = useState(false);
  const [shown, setShown] = useState<string>();
  const close = () => setShown(undefined);
  const copy = async ({ code }: { code: string }) => {
    try {
      await navigator.clipboard.writeText(code);
      toast("Code copied");
    } catch {
      setShown(code);
    }
  };
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)} aria-label={ariaLabel}>
        <Copy className="size-4" aria-hidden />
        {ariaLabel ? "Copy" : "Copy code"}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        action={action}
        hidden={{ appId, assignmentId }}
        title="Copy the full code?"
        description="Anyone who has it can redeem it in the store. The audit log records that you copied it."
        submit="Copy code"
        onDone={copy}
      />
      <Dialog open={shown !== undefined} onClose={close} title="Copy this code by hand">
        <input
          readOnly
          value={shown ?? ""}
          aria-label="Code"
          onFocus={(event) => event.target.select()}
          className={`${inputClass} font-mono`}
        />
        <DialogActions>
          <Button onClick={close}>Close</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

interface ReplaceProps {
  action: FormAction<{ code: string }>;
  appId: string;
  assignmentId: string;
  /** The code on the page. If another member has replaced it meanwhile, nothing happens. */
  codeId: string;
  /** The owner of the code. */
  holder: "referee" | "referrer";
  /** The app's retry window. */
  retryHours: number;
  /** Whether the metacode already leads to another campaign. */
  moved?: boolean;
  /** Whether the owner is an influencer without a user ID, or an erased user. */
  noUser?: boolean;
  ariaLabel?: string;
}

/** The step that brings the new code to the app, while the retry window is open. */
function nextRequest({ holder, retryHours: hours, moved, noUser }: ReplaceProps): string {
  if (noUser)
    return "No user ID is stored here, so no app gets it: an admin copies the new code on this page.";
  if (hours === 0 || moved) {
    const why = hours
      ? "The metacode leads to another campaign now, so the app might"
      : "The retry window of this app is off, so the app does";
    return `${why} not get the new code: an admin can copy it from this page.`;
  }
  const step =
    holder === "referee"
      ? "enters the same metacode on the same platform"
      : "has no other reward left and claims";
  const within = hours < APP_RANGES.retryWindowHours.max ? ` within ${formatCount(hours, "hour")}` : "";
  return `Your app gets the new code when the ${holder} ${step} again${within}: ask them to.`;
}

/** Replaces an invalid code, after a confirmation. */
export function ReplaceCode(props: ReplaceProps) {
  const { action, appId, assignmentId, codeId, holder, ariaLabel } = props;
  return (
    <ConfirmButton
      label={ariaLabel ? "Replace" : "Replace code"}
      ariaLabel={ariaLabel}
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, assignmentId, codeId }}
      title="Replace this code?"
      description={
        <>
          <p>
            The {holder} gets another code of its pool, or of the one that the campaign has now, and the
            current one becomes void here. The store does not know this, so the old code may still work there.
          </p>
          <p>{nextRequest(props)}</p>
          <p>The new code comes from a batch whose codes have not failed, if any. This cannot be undone.</p>
        </>
      }
      submit="Replace code"
      danger
      done="Code replaced"
    >
      <ReasonField placeholder="The store says it has expired" />
    </ConfirmButton>
  );
}
