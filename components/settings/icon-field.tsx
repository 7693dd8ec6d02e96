"use client";

import { type ChangeEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { AppMonogram } from "@/components/dashboard/app-monogram";
import { Button } from "@/components/ui/button";
import { FormError, SeenValues } from "@/components/ui/field";
import { shrinkPicture } from "@/components/ui/shrink-picture";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<void>;
  app: { id: string; name: string; iconHash: string | null };
  readOnly: boolean;
}

/** The icon of the app. It is cropped and shrunk here, so that only a small square leaves the browser. */
export function IconField({ action, app, readOnly }: Props) {
  const { state, pending, props } = useForm(action, () => toast("Icon saved"));
  const [icon, setIcon] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const upload = (chosen: string) => {
    flushSync(() => setIcon(chosen));
    props.ref.current?.requestSubmit();
  };
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    if (!file) return;
    try {
      upload(await shrinkPicture(file));
    } catch {
      toast("Your browser cannot read this file. Choose a PNG, JPEG or WebP picture.");
    }
    event.target.value = "";
  };
  return (
    <form {...props} className="grid gap-3">
      <input type="hidden" name="appId" value={app.id} />
      <input type="hidden" name="icon" value={icon} data-label="Icon" data-pictures={`/icons/${app.id}/`} />
      <SeenValues values={{ icon: app.iconHash }} />
      <div className="flex flex-wrap items-center gap-4">
        <AppMonogram app={app} large />
        {!readOnly && (
          <div className="flex gap-2">
            <input
              ref={input}
              type="file"
              accept="image/png,image/jpeg,image/webp"
              onChange={choose}
              aria-label="Icon file"
              tabIndex={-1}
              className="sr-only"
            />
            <Button variant="secondary" pending={pending} onClick={() => input.current?.click()}>
              {app.iconHash ? "Change picture" : "Choose picture"}
            </Button>
            {app.iconHash && (
              <Button variant="ghost" onClick={() => upload("")}>
                Remove
              </Button>
            )}
          </div>
        )}
      </div>
      <FormError state={state} />
      {state.error && !state.error.field && !state.error.conflict && (
        <Button type="submit" variant="secondary" size="sm" pending={pending} className="w-fit">
          Try again
        </Button>
      )}
    </form>
  );
}
