interface Props {
  app: { id: string; name: string; iconHash: string | null };
  large?: boolean;
}

/** The icon of an app, or its initial when it has none. */
export function AppMonogram({ app, large = false }: Props) {
  const size = large ? "size-16 rounded-2xl text-2xl" : "size-10 rounded-xl text-base";
  if (app.iconHash) {
    return (
      // biome-ignore lint/performance/noImgElement: the file is 256 pixels wide already, and its address never changes
      <img
        src={`/icons/${app.id}/${app.iconHash}`}
        alt=""
        className={`shrink-0 border border-line bg-subtle object-cover ${size}`}
      />
    );
  }
  return (
    <span
      aria-hidden
      className={`grid shrink-0 place-items-center border border-line bg-subtle font-semibold ${size}`}
    >
      {[...app.name][0]?.toUpperCase()}
    </span>
  );
}
