/** @jsxImportSource hono/jsx */
import type { LandingView } from "@/lib/contract/landing";
import type { OwnTextKey } from "@/lib/contract/landing-texts";
import { Document } from "./document";
import { headingOf, titleOf } from "./headings";
import { LinkPreview } from "./link-preview";
import { AppLine, IsolatedText, QrCode, StoreLinks } from "./parts";

/** Longer metacodes are set smaller, so that a chosen one of 32 characters fits a small phone. */
const LONG = 14;

const STEPS = [
  ["step1", "step1Text"],
  ["step2", "step2Text"],
  ["step3", "step3Text"],
] as const;

/** An open invitation: the inviter, what the friend gets, the metacode, the steps and the stores. */
export function OpenPage({ view }: { view: LandingView }) {
  const { texts, accent, preview, clickId, metacode } = view;
  const click = clickId && `/r/${metacode}/click`;
  return (
    <Document
      frame={view}
      title={titleOf(view)}
      accent={accent}
      preview={preview}
      head={<LinkPreview view={view} />}
    >
      <main class="wide" data-click={click}>
        <header>
          <AppLine view={view} />
          <p class="from" data-text={mark(view, view.inviter ? "invited" : "invitedPlain")}>
            <IsolatedText of={headingOf(view)} />
          </p>
          <h1 data-text={mark(view, "gift")}>
            <IsolatedText of={texts.gift} />
          </h1>
          <p class="lead" data-text={mark(view, "lead")}>
            <IsolatedText of={texts.lead} />
          </p>
        </header>
        <Metacode view={view} />
        <section class="how">
          <Steps view={view} />
          <StoreLinks view={view} />
          {view.qr && <QrCode code={view.qr} label={texts.scan} />}
        </section>
      </main>
      {click && (
        <noscript>
          {/* biome-ignore lint/performance/noImgElement: a separate page, outside the framework */}
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
                <IsolatedText of={view.texts[title]} />
              </strong>
              <span data-text={mark(view, text)}>
                <IsolatedText of={view.texts[text]} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
