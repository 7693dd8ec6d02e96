import { cookies } from "next/headers";
import type { ComponentProps } from "react";
import { THEME_COOKIE } from "@/components/ui/theme";

const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

interface Shot {
  name: string;
  alt: string;
  width: number;
  height: number;
  /** The width of the smaller file, for screens that show no more pixels. */
  small: number;
  /** The widths at which the page shows it, for the browser's choice of a file. */
  sizes: string;
  className: string;
}

const OVERVIEW: Shot = {
  name: "overview",
  alt: "The overview of an app: clicks, assigned codes and confirmed referrals of a month, with their trend",
  width: 1440,
  height: 900,
  small: 760,
  sizes: "(min-width: 1024px) 733px, (min-width: 640px) 73vw, 95vw",
  className: "w-full",
};

const LANDING: Shot = {
  name: "landing",
  alt: "The page that a friend sees on a phone: the gift, the metacode and the buttons of the stores",
  width: 640,
  height: 1241,
  small: 420,
  sizes: "(min-width: 1024px) 207px, (min-width: 640px) 20vw, 224px",
  className: "w-full max-sm:mx-auto max-sm:w-56",
};

/** Real screenshots of the product, made by `npm run screenshots`, in light and in dark. */
export async function ProductPictures() {
  const chosen = (await cookies()).get(THEME_COOKIE)?.value;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-end gap-5 sm:grid-cols-[minmax(0,1fr)_22%]">
      {THEMES.map((theme) => (
        <Preload key={theme} shot={OVERVIEW} theme={theme} chosen={chosen} />
      ))}
      <Picture shot={OVERVIEW} decoding="sync" fetchPriority="high" />
      <Picture shot={LANDING} decoding="async" fetchPriority="low" />
    </div>
  );
}

const files = ({ name, width, small }: Shot, theme: Theme) =>
  `/product/${name}-${theme}-${small}.webp ${small}w, /product/${name}-${theme}.webp ${width}w`;

/** Makes the browser load the first picture with the document, in the theme of the cookie, else of the system. */
function Preload({ shot, theme, chosen }: { shot: Shot; theme: Theme; chosen: string | undefined }) {
  const system = chosen !== "light" && chosen !== "dark";
  if (!system && chosen !== theme) return null;
  return (
    <link
      rel="preload"
      as="image"
      imageSrcSet={files(shot, theme)}
      imageSizes={shot.sizes}
      fetchPriority="high"
      {...(system && { media: `(prefers-color-scheme: ${theme})` })}
    />
  );
}

type PictureProps = { shot: Shot } & Pick<ComponentProps<"img">, "decoding" | "fetchPriority">;

/**
 * A screenshot in the theme of the page. The picture of the other theme is hidden and lazy, so the browser never loads it. The
 * first picture is preloaded and decoded at once; otherwise it would appear a frame after the text.
 */
function Picture({ shot, ...loading }: PictureProps) {
  return THEMES.map((theme) => (
    // biome-ignore lint/performance/noImgElement: no optimiser runs, and the files have their final size
    <img
      key={theme}
      src={`/product/${shot.name}-${theme}.webp`}
      srcSet={files(shot, theme)}
      sizes={shot.sizes}
      alt={shot.alt}
      width={shot.width}
      height={shot.height}
      loading="lazy"
      {...loading}
      className={`h-auto rounded-xl border border-line shadow-lg ${shot.className} only-${theme}`}
    />
  ));
}
