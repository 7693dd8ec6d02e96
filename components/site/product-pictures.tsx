interface Shot {
  name: string;
  alt: string;
  width: number;
  height: number;
}

const OVERVIEW: Shot = {
  name: "overview",
  alt: "The overview of an app: clicks, assigned codes and confirmed referrals of a month, with their trend",
  width: 1440,
  height: 900,
};

const LANDING: Shot = {
  name: "landing",
  alt: "The page that a friend sees on a phone: the gift, the metacode and the buttons of the stores",
  width: 640,
  height: 1241,
};

/** The product as it is: made by `npm run screenshots`, in light and in dark. */
export function ProductPictures() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-end gap-5 sm:grid-cols-[minmax(0,1fr)_22%]">
      <Picture shot={OVERVIEW} sizes="w-full" />
      <Picture shot={LANDING} sizes="w-full max-sm:mx-auto max-sm:w-56" />
    </div>
  );
}

/** A screenshot in the theme of the page. The hidden one is lazy, so the browser never loads it. */
function Picture({ shot: { name, alt, width, height }, sizes }: { shot: Shot; sizes: string }) {
  const look = `h-auto rounded-xl border border-line shadow-lg ${sizes}`;
  return (
    <>
      {(["light", "dark"] as const).map((theme) => (
        // biome-ignore lint/performance/noImgElement: no optimiser runs, and the files have their final size
        <img
          key={theme}
          src={`/product/${name}-${theme}.webp`}
          alt={alt}
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          className={`${look} only-${theme}`}
        />
      ))}
    </>
  );
}
