/** Stands in for an app's icon: its first letter. */
export function AppMonogram({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-10 shrink-0 place-items-center rounded-[10px] border border-line bg-subtle text-base font-semibold"
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}
