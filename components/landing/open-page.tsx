/** @jsxImportSource hono/jsx */
import type { LandingView } from "@/lib/contract/landing";
import type { OwnTextKey } from "@/lib/contract/landing-texts";
import { Document } from "./document";
import { AppLine, Stores } from "./parts";
import { Preview } from "./preview";
import { QrCode } from "./qr";
import { Text } from "./text";
import { headingOf, titleOf } from "./words";

/** Longer metacodes get smaller letters, so that a vanity one of 32 still fits a small phone. */
const LONG = 14;

const STEPS = [
  ["step1", "step1Text"],
  ["step2", "step2Text"],
  ["step3", "step3Text"],
] as const;

/** An invitation that counts: who invites, the metacode, what to do, where to get the app. */
export function OpenPage({ view }: { view: LandingView }) {
  const { texts, accent, preview, clickId, metacode } = view;
  const click = clickId && `/r/${metacode}/click`;
  return (
    <Document frame={view} title={titleOf(view)} {...{ accent, preview }} head={<Preview view={view} />}>
      <main class="wide" data-click={click}>
        <header>
          <AppLine view={view} />
          <h1 data-text={mark(view, view.inviter ? "invited" : "invitedPlain")}>
            <Text of={headingOf(view)} />
          </h1>
          <p class="lead" data-text={mark(view, "lead")}>
            <Text of={texts.lead} />
          </p>
        </header>
        <Metacode view={view} />
        <section class="how">
          <Steps view={view} />
          <Stores view={view} lead={view.stores[0]?.platform === view.platform} />
          {!view.platform && <QrCode text={view.url} label={texts.scan} />}
        </section>
      </main>
      {click && (
        <noscript>
          {/* biome-ignore lint/performance/noImgElement: a page of its own, outside the framework */}
          <img src={click} alt="" width="1" height="1" />
        </noscript>
      )}
    </Document>
  );
}

function mark({ preview }: LandingView, key: OwnTextKey): string | undefined {
  return preview ? key : undefined;
}

function Metacode({ view: { metacode, texts, ends } }: { view: LandingView }) {
  return (
    <section class="code" aria-labelledby="label">
      <h2 class="label" id="label">
        {texts.metacode}
      </h2>
      <output
        class={metacode.length > LONG ? "long" : undefined}
        aria-labelledby="label"
        translate="no"
        dir="ltr"
      >
        {metacode}
      </output>
      {ends && (
        <p class="until">
          {texts.until} · {texts.daysLeft}
        </p>
      )}
      <div class="acts">
        <button type="button" id="copy" hidden>
          {texts.copy}
        </button>
        <button type="button" id="share" hidden>
          {texts.share}
        </button>
      </div>
      <p class="status" role="status" data-copied={texts.copied} data-by-hand={texts.copyByHand}></p>
    </section>
  );
}

function Steps({ view }: { view: LandingView }) {
  return (
    <div>
      <h2>{view.texts.how}</h2>
      <ol>
        {STEPS.map(([title, text]) => (
          <li key={title}>
            <span>
              <strong data-text={mark(view, title)}>
                <Text of={view.texts[title]} />
              </strong>
              <span data-text={mark(view, text)}>
                <Text of={view.texts[text]} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
