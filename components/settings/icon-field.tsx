"use client";

import { type ChangeEvent, startTransition, useActionState, useRef } from "react";
import { AppMonogram } from "@/components/dashboard/app-monogram";
import { Button } from "@/components/ui/button";
import { catchFailure } from "@/components/ui/catch-failure";
import { FormError } from "@/components/ui/field";
import { shrinkPicture } from "@/components/ui/shrink-picture";
import { toast } from "@/components/ui/toast";
import type { FormAction, FormState } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<void>;
  app: { id: string; name: string; iconHash: string | null };
  readOnly: boolean;
}

/** The icon of the app. It is cropped and shrunk here, so that only a small square leaves the browser. */
export function IconField({ action, app, readOnly }: Props) {
  const [state, send, pending] = useActionState<FormState<void>, FormData>(catchFailure(action), {});
  const input = useRef<HTMLInputElement>(null);
  const upload = (icon: string) => {
    const form = new FormData();
    form.set("appId", app.id);
    form.set("icon", icon);
    startTransition(() => send(form));
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
    <div className="grid gap-3">
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
    </div>
  );
}
