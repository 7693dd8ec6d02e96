"use client";

import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { saveFile } from "@/components/ui/save-file";

interface Props {
  codes: readonly string[] | undefined;
  onClose: () => void;
}

/** Recovery codes, this one time. It does not close by accident. */
export function RecoveryCodes({ codes, onClose }: Props) {
  const text = (codes ?? []).join("\n");
  return (
    <Dialog
      open={codes !== undefined}
      onClose={onClose}
      dismissible={false}
      title="Your recovery codes"
      description="Each lets you in once without your authenticator. They are shown only now: keep them where your phone is not."
    >
      <div data-testid="recovery-codes">
        <CodeBlock text={text} label="Copy the recovery codes" />
      </div>
      <DialogActions>
        <Button
          variant="secondary"
          onClick={() => saveFile("metacode-recovery-codes.txt", `${text}\n`, "text/plain")}
        >
          <Download className="size-4" aria-hidden />
          Save as a file
        </Button>
        <Button onClick={onClose}>I have stored them</Button>
      </DialogActions>
    </Dialog>
  );
}
