"use client";

import { type RefObject, useState } from "react";
import { Toggle } from "@/components/ui/tabs";

const DEVICES = [
  { value: "ios", name: "Phone" },
  { value: "desktop", name: "Desktop" },
] as const;

const SCHEMES = [
  { value: "light", name: "Light" },
  { value: "dark", name: "Dark" },
] as const;

/** The page in the size of the device, scaled to the width of its frame. */
const FRAME = {
  ios: {
    around: "aspect-[390/580] w-72 rounded-3xl",
    page: "h-[580px] w-[390px] [scale:tan(atan2(100cqw,390px))]",
  },
  desktop: {
    around: "aspect-[1080/800] w-full rounded-lg",
    page: "h-[800px] w-[1080px] [scale:tan(atan2(100cqw,1080px))]",
  },
};

interface PreviewProps {
  frame: RefObject<HTMLIFrameElement | null>;
  /** The path of the app. */
  base: string;
  query: Record<string, string>;
  onLoad: () => void;
}

/** The landing page on a phone or a desktop, in light or dark, and the share image. */
export function LandingPreview({ frame, base, query, onLoad }: PreviewProps) {
  const [device, setDevice] = useState<keyof typeof FRAME>("ios");
  const [scheme, setScheme] = useState<"light" | "dark">("light");
  const { around, page } = FRAME[device];
  const address = `${base}/campaigns/landing?${new URLSearchParams({ ...query, device, scheme })}`;
  return (
    <section aria-label="Preview" className="grid gap-3 max-lg:order-first lg:sticky lg:top-20">
      <div className="flex flex-wrap justify-between gap-2">
        <Toggle label="Device" choices={DEVICES} value={device} onChange={setDevice} />
        <Toggle label="Colour scheme" choices={SCHEMES} value={scheme} onChange={setScheme} />
      </div>
      <figure
        className={`@container max-w-full justify-self-center overflow-hidden border border-line-strong/60 bg-page shadow-md ${around}`}
      >
        <iframe
          ref={frame}
          title="Preview of the landing page"
          src={address}
          onLoad={onLoad}
          sandbox="allow-scripts"
          className={`origin-top-left ${page}`}
        />
      </figure>
      <a
        href={address}
        target="_blank"
        rel="noreferrer"
        className="justify-self-center text-note text-accent underline underline-offset-2"
      >
        Open preview in a new tab
      </a>
      <figure className="grid gap-1.5">
        {/* biome-ignore lint/performance/noImgElement: drawn for this form, with a colour that is not saved yet */}
        <img
          src={`${base}/landing/image?${new URLSearchParams(query)}`}
          alt="The icon, the app, the inviter and the metacode"
          width={1200}
          height={630}
          className="h-auto w-full rounded-lg border border-line"
        />
        <figcaption className="text-note text-muted">The share image, shown by chat apps.</figcaption>
      </figure>
    </section>
  );
}
