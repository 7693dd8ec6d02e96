/** @jsxImportSource hono/jsx */
import type { LandingView } from "@/lib/contract/landing";
import { Document } from "./document";
import { AppLine, Stores } from "./parts";
import { Preview } from "./preview";
import { STORE_NAME, titleOf } from "./words";

/** Longer metacodes get smaller letters, so that a vanity one of 32 still fits a small phone. */
const LONG = 14;

/** An invitation that counts: who invites, the metacode, what to do, where to get the app. */
export function OpenPage({ view }: { view: LandingView }) {
  return (
    <Document title={titleOf(view)} head={<Preview view={view} />}>
      <main class="wide" data-click-id={view.clickId}>
        <header>
          <AppLine name={view.appName} />
          <h1>
            <Heading view={view} />
          </h1>
          <p class="lead">Enter this metacode in the app and receive your promo code.</p>
        </header>
        <Metacode metacode={view.metacode} />
        <section class="how">
          <Steps view={view} />
          <Stores links={view.stores} lead={view.stores[0]?.platform === view.platform} />
        </section>
      </main>
    </Document>
  );
}

function Heading({ view: { inviter, appName } }: { view: LandingView }) {
  if (!inviter) {
    return (
      <>
        You are invited to <bdi>{appName}</bdi>
      </>
    );
  }
  return (
    <>
      <bdi>{inviter}</bdi> invited you to <bdi>{appName}</bdi>
    </>
  );
}

function Metacode({ metacode }: { metacode: string }) {
  return (
    <section class="code" aria-label="Your metacode">
      <p class="label" id="label">
        Your metacode
      </p>
      <output class={metacode.length > LONG ? "long" : undefined} aria-labelledby="label" translate="no">
        {metacode}
      </output>
      <button type="button" hidden>
        Copy metacode
      </button>
      <p class="status" role="status"></p>
    </section>
  );
}

function Steps({ view: { appName, metacode, stores } }: { view: LandingView }) {
  const names = stores.map(({ platform }) => `the ${STORE_NAME[platform]}`.replace("the Google", "Google"));
  return (
    <div>
      <h2>How it works</h2>
      <ol>
        <li>
          <span>
            <strong>
              Get <bdi>{appName}</bdi>
            </strong>
            {names.length > 0 ? `From ${names.join(" or ")}.` : "Search for it in your phone’s store."}
          </span>
        </li>
        <li>
          <span>
            <strong>Enter the metacode</strong>
            Open the app and type <span translate="no">{metacode}</span> where it asks for one.
          </span>
        </li>
        <li>
          <span>
            <strong>Redeem your promo code</strong>
            The app gives you a code of your own and opens the store with it.
          </span>
        </li>
      </ol>
    </div>
  );
}
