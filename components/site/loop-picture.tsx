import type { ReactNode } from "react";

interface BoxProps {
  x: number;
  y: number;
  width: number;
  height: number;
  title: string;
  hint: string;
  /** Highlights the service itself. */
  strong?: boolean;
}

/** A participant of the loop. */
function Box({ x, y, width, height, title, hint, strong = false }: BoxProps) {
  const middle = { x: x + width / 2, textAnchor: "middle" as const };
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={14}
        className={strong ? "fill-ink" : "fill-surface stroke-line-strong"}
      />
      <text
        {...middle}
        y={y + height / 2 - 3}
        className={`text-base font-semibold ${strong ? "fill-page" : "fill-ink"}`}
      >
        {title}
      </text>
      <text
        {...middle}
        y={y + height / 2 + 18}
        className={`text-note ${strong ? "fill-page" : "fill-muted"}`}
      >
        {hint}
      </text>
    </g>
  );
}

interface ArrowProps {
  d: string;
  /** The position of the text. */
  x: number;
  y: number;
  anchor?: "start" | "middle" | "end";
  /** The id of the arrow head. */
  head: string;
  children: ReactNode;
}

/** A step of the loop, in the direction of its head. */
function Arrow({ d, x, y, anchor = "middle", head, children }: ArrowProps) {
  return (
    <g>
      <path d={d} fill="none" strokeWidth={1.75} markerEnd={`url(#${head})`} className="stroke-accent" />
      <text x={x} y={y} textAnchor={anchor} className="fill-ink text-sm">
        {children}
      </text>
    </g>
  );
}

/** The arrow head of one picture. Each picture needs its own, because a hidden one is not drawn. */
function ArrowHead({ id }: { id: string }) {
  return (
    <defs>
      <marker id={id} viewBox="0 0 8 8" refX={7} refY={4} markerWidth={8} markerHeight={8} orient="auto">
        <path d="M0 0 L8 4 L0 8 Z" className="fill-accent" />
      </marker>
    </defs>
  );
}

const DESCRIPTION =
  "The loop: Anna shares a link with her metacode. Bob enters the metacode in the app, and Metacode assigns him one store code. He redeems it in the App Store or Google Play. The subscription provider reports the purchase to Metacode, which confirms the referral. Anna claims a reward code.";

/** The referral loop as a picture, in portrait format on a phone. */
export function LoopPicture() {
  return (
    <figure aria-label="The referral loop" className="rounded-2xl border border-line bg-subtle/60 p-4 sm:p-8">
      <Wide />
      <Tall />
    </figure>
  );
}

function Wide() {
  const size = { width: 214, height: 78 };
  return (
    <svg viewBox="0 0 960 420" role="img" aria-label={DESCRIPTION} className="w-full max-sm:hidden">
      <ArrowHead id="head-wide" />
      <Arrow head="head-wide" d="M236 58 H718" x={477} y={45}>
        1 · shares a link with her metacode
      </Arrow>
      <Arrow head="head-wide" d="M766 98 V178 Q766 192 752 192 H598" x={676} y={182}>
        2 · metacode
      </Arrow>
      <Arrow head="head-wide" d="M590 228 H790 Q804 228 804 214 V106" x={690} y={249}>
        3 · one store code
      </Arrow>
      <Arrow head="head-wide" d="M892 98 V310" x={904} y={210} anchor="start">
        4 · buys
      </Arrow>
      <Arrow head="head-wide" d="M726 362 H242" x={480} y={350}>
        5 · the purchase is reported
      </Arrow>
      <Arrow head="head-wide" d="M127 320 V242 Q127 228 141 228 H362" x={250} y={249}>
        6 · confirms
      </Arrow>
      <Arrow head="head-wide" d="M370 192 H141 Q127 192 127 178 V106" x={252} y={182}>
        7 · a reward code
      </Arrow>
      <Box {...size} x={20} y={20} title="Anna" hint="uses your app" />
      <Box {...size} x={726} y={20} title="Bob" hint="her friend" />
      <Box {...size} x={373} y={171} title="Metacode" hint="your installation" strong />
      <Box {...size} x={726} y={322} title="The store" hint="App Store, Google Play" />
      <Box {...size} x={20} y={322} title="Your provider" hint="such as RevenueCat" />
    </svg>
  );
}

function Tall() {
  const size = { x: 172, width: 170, height: 70 };
  return (
    <svg viewBox="0 0 350 510" role="img" aria-label={DESCRIPTION} className="w-full sm:hidden">
      <ArrowHead id="head-tall" />
      <Arrow head="head-tall" d="M257 80 V136" x={249} y={114} anchor="end">
        1 · shares
      </Arrow>
      <Arrow head="head-tall" d="M172 164 H76" x={124} y={154}>
        2 · metacode
      </Arrow>
      <Arrow head="head-tall" d="M70 192 H166" x={124} y={212}>
        3 · code
      </Arrow>
      <Arrow head="head-tall" d="M257 220 V276" x={249} y={254} anchor="end">
        4 · buys
      </Arrow>
      <Arrow head="head-tall" d="M257 360 V416" x={249} y={394} anchor="end">
        5 · reports
      </Arrow>
      <Arrow head="head-tall" d="M172 458 H76" x={124} y={448}>
        6 · confirms
      </Arrow>
      <Arrow head="head-tall" d="M70 45 H166" x={121} y={34}>
        7 · reward
      </Arrow>
      <rect x={8} y={8} width={60} height={494} rx={14} className="fill-ink" />
      <text
        transform="translate(44 255) rotate(-90)"
        textAnchor="middle"
        className="fill-page text-lg font-semibold"
      >
        Metacode
      </text>
      <Box {...size} y={8} title="Anna" hint="uses your app" />
      <Box {...size} y={144} title="Bob" hint="her friend" />
      <Box {...size} y={284} title="The store" hint="Apple or Google" />
      <Box {...size} y={424} title="Your provider" hint="such as RevenueCat" />
    </svg>
  );
}
