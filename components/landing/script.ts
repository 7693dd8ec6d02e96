/** Copies the metacode. The button is hidden until this runs; without it one tap selects the whole metacode. */
export const script = `
(() => {
  const button = document.querySelector("button");
  const code = document.querySelector("output");
  const status = document.querySelector("[role=status]");
  if (!button || !code || !status) return;
  const select = () => getSelection().selectAllChildren(code);
  const legacy = () => { select(); if (!document.execCommand("copy")) throw 0; };
  const copy = () => navigator.clipboard ? navigator.clipboard.writeText(code.textContent) : legacy();
  button.hidden = false;
  button.addEventListener("click", async () => {
    try { await copy(); status.textContent = "Copied"; }
    catch { select(); status.textContent = "Selected: copy it by hand"; }
  });
})();
`;
