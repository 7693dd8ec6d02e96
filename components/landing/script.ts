/**
 * Reports a click when the page becomes visible, so that prefetched pages do not count. Copies and shares the metacode, with
 * buttons that are hidden until this runs; without it, one tap selects the whole metacode. Browsers inside apps refuse or
 * lack the Clipboard API, and allow the older call.
 */
export const landingScript = `
(() => {
  const one = (selector) => document.querySelector(selector);
  const main = one("main[data-click]");
  const tell = () => {
    if (document.visibilityState !== "visible") return;
    removeEventListener("visibilitychange", tell, true);
    try { navigator.sendBeacon(main.dataset.click); } catch {}
  };
  const code = one("output"), copy = one("#copy"), share = one("#share"), status = one("[role=status]");
  if (main) {
    addEventListener("visibilitychange", tell, true);
    tell();
  }
  if (!code || !copy || !share || !status) return;
  const select = () => getSelection().selectAllChildren(code);
  const legacy = () => { select(); if (!document.execCommand("copy")) throw 0; };
  const write = async () => {
    try { await navigator.clipboard.writeText(code.textContent); }
    catch { legacy(); }
  };
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    try { await write(); status.textContent = status.dataset.copied; }
    catch { select(); status.textContent = status.dataset.byHand; }
  });
  if (!navigator.share) return;
  share.hidden = false;
  share.addEventListener("click", () => {
    const url = one("meta[property='og:url']").content;
    navigator.share({ title: document.title, url }).catch(() => undefined);
  });
})();
`;

/** The preview's script: also shows the input that the page around it sends, as text only, and scrolls to the edited text. */
export const previewScript = `${landingScript}
addEventListener("message", ({ source, data }) => {
  if (source !== parent || typeof data !== "object" || !data) return;
  for (const place of document.querySelectorAll("[data-text]")) {
    const text = data[place.dataset.text];
    if (typeof text === "string") place.textContent = text;
    if (data.edited === place.dataset.text) {
      scrollTo(0, scrollY + place.getBoundingClientRect().top - innerHeight / 3);
    }
  }
});
`;
