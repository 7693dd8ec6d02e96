"use client";

import { ImagePlus, Plus, X } from "lucide-react";
import { type ChangeEvent, useState } from "react";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, inputClass } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { shrinkPicture } from "@/components/ui/shrink-picture";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import { appAddresses } from "@/lib/contract/app";
import type { FormAction } from "@/lib/contract/form-state";
import { STORE_NAME } from "@/lib/contract/format";
import { readStoreLinks, type StoreAddress } from "@/lib/contract/store-link";

interface Props {
  action: FormAction<never>;
  workspaces: { id: string; name: string }[];
  /** Whether the visitor has no app yet; a sandbox is the better first one. */
  first: boolean;
}

/** Opens the form for a new app: the main button of its page, or the button of one workspace. */
export function CreateApp({ within, ...props }: Props & { within?: string }) {
  return (
    <DialogButton
      label="Create app"
      ariaLabel={within && `Create app in ${within}`}
      look={within ? { variant: "secondary", size: "sm" } : undefined}
      icon={Plus}
      title="Create an app"
      byAddress={!within}
      description="Paste its store link: name and ID are read from it."
    >
      {(close) => <CreateAppForm {...props} onCancel={close} />}
    </DialogButton>
  );
}

const PLACEHOLDERS = {
  ios: "https://apps.apple.com/app/…",
  android: "https://play.google.com/store/apps/details?id=…",
};

const MODES = [
  {
    value: "sandbox",
    name: "Sandbox",
    hint: "To try everything. Test purchases count, and sample codes are enough. Keys begin with mc_test_.",
  },
  {
    value: "live",
    name: "Live",
    hint: "For your users. Only real purchases count, and codes come from the stores. Keys begin with mc_live_.",
  },
];

function CreateAppForm({ action, workspaces, first, onCancel }: Props & { onCancel: () => void }) {
  const { state, pending, props } = useForm(action);
  const [links, setLinks] = useState<readonly StoreAddress[]>([]);
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const onLink = (typed: string) => {
    const { data: found } = appAddresses.safeParse(typed);
    // An address stays in its field while it is typed letter by letter, because more of the ID may follow.
    const whole = found && Math.abs(typed.length - text.length) > 1;
    setText(whole ? "" : typed);
    if (!found) return;
    const others = links.filter(({ platform }) => found.every((link) => link.platform !== platform));
    if (whole) setLinks([...others, ...found]);
    // The App Store's address contains the app's name, a package only a word of it.
    const apple = found.find(({ platform }) => platform === "ios");
    const before = apple && links.some((other) => other.name === name);
    const own = (apple ?? found[0])?.name;
    if (own && (name === "" || before || readStoreLinks(text).some((link) => link.name === name)))
      setName(own);
  };
  const read = links.length > 0;
  const { error: several } = readStoreLinks(text).length > 1 ? appAddresses.safeParse(text) : {};
  const missing = links.some(({ platform }) => platform === "ios") ? "android" : "ios";
  return (
    <form {...props} className="grid gap-4">
      <WorkspaceField workspaces={workspaces} />
      <div className="grid gap-3">
        {links.map((link) => (
          <ReadLink
            key={link.platform}
            link={link}
            onRemove={() => setLinks(links.filter((other) => other !== link))}
          />
        ))}
        {links.length < 2 && (
          <Field
            key="link"
            label={read ? `${STORE_NAME[missing]} link` : "Store link"}
            name="storeLink"
            value={text}
            onChange={({ target }) => onLink(target.value)}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder={PLACEHOLDERS[missing]}
            hint={
              read
                ? "If the app is in this store too."
                : "From the App Store or Google Play. You can add it later."
            }
            optional
            state={
              several ? { error: { field: "storeLink", message: several.issues[0]?.message ?? "" } } : state
            }
          />
        )}
      </div>
      <div className="flex items-start gap-3">
        <IconInput />
        <div className="min-w-0 flex-1">
          <Field
            label="Name"
            name="name"
            required
            maxLength={80}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
            hint="Friends read it in the invitation."
            state={state}
          />
        </div>
      </div>
      <ChoiceCards legend="Mode" name="mode" value={first ? "sandbox" : "live"} choices={MODES} wide />
      <p className="-mt-1 text-note text-muted">
        This cannot be changed later. A live app can have a sandbox copy at any time.
      </p>
      <FormError state={state} fields={["name", "storeLink"]} />
      <FormActions submit="Create app" pending={pending} onCancel={onCancel} />
    </form>
  );
}

/** A store id that was read from a link. */
function ReadLink({ link: { platform, id }, onRemove }: { link: StoreAddress; onRemove: () => void }) {
  return (
    <p className="flex items-center gap-2.5 rounded-lg bg-good-soft py-1 pr-1 pl-3 text-sm">
      <input type="hidden" name={platform === "ios" ? "appleAppId" : "androidPackage"} value={id} />
      <span className="font-medium text-good">{STORE_NAME[platform]}</span>
      <code className="min-w-0 flex-1 truncate font-mono text-note">{id}</code>
      <button
        type="button"
        onClick={onRemove}
        aria-label={`Remove the ${STORE_NAME[platform]} link`}
        className="grid size-8 place-items-center rounded-md text-muted hover:text-ink pointer-coarse:size-11"
      >
        <X className="size-4" aria-hidden />
      </button>
    </p>
  );
}

/** The icon of the new app, as a small square PNG in Base64. */
function IconInput() {
  const [icon, setIcon] = useState("");
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    target.value = "";
    if (!file) return;
    try {
      setIcon(await shrinkPicture(file));
    } catch {
      toast("Your browser cannot read this file. Choose a PNG, JPEG or WebP picture.");
    }
  };
  return (
    <label className="mt-6.5 grid size-14 shrink-0 cursor-pointer place-items-center overflow-hidden rounded-xl border border-dashed border-line-strong/60 text-muted hover:border-line-strong hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <input type="hidden" name="icon" value={icon} />
      <input
        type="file"
        accept="image/png,image/jpeg,image/webp"
        onChange={choose}
        aria-label="Icon"
        className="sr-only"
      />
      {icon ? (
        // biome-ignore lint/performance/noImgElement: the picture exists only in this form
        <img src={`data:image/png;base64,${icon}`} alt="" className="size-full object-cover" />
      ) : (
        <ImagePlus className="size-5" aria-hidden />
      )}
    </label>
  );
}

function WorkspaceField({ workspaces }: Pick<Props, "workspaces">) {
  const [only] = workspaces;
  if (workspaces.length === 1) return <input type="hidden" name="workspaceId" value={only?.id} />;
  return (
    <label className="grid gap-1.5 text-sm font-medium">
      Workspace
      <select name="workspaceId" className={inputClass}>
        {workspaces.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
