/** Colours for the viewer, which derives others from them and so accepts no CSS variables. */
const LIGHT = {
  colors: {
    primary: { main: "#0059c9" },
    text: { primary: "#171717", secondary: "#5c5c5c" },
    border: { dark: "#8f8f8f", light: "#e6e6e6" },
  },
  sidebar: { backgroundColor: "#ffffff", textColor: "#171717", activeTextColor: "#0059c9" },
  rightPanel: { backgroundColor: "#1b1b1d", textColor: "#ffffff" },
  codeBlock: { backgroundColor: "#111113" },
};

const DARK = {
  colors: {
    primary: { main: "#6cb0ff" },
    success: { main: "#63d48a" },
    error: { main: "#ff8a8a" },
    text: { primary: "#ededed", secondary: "#a3a3a3" },
    border: { dark: "#6e6e6e", light: "#262626" },
    responses: {
      success: { color: "#63d48a", backgroundColor: "#0d2a17", tabTextColor: "#63d48a" },
      error: { color: "#ff8a8a", backgroundColor: "#351314", tabTextColor: "#ff8a8a" },
    },
  },
  schema: {
    nestedBackground: "#171717",
    linesColor: "#3d5a80",
    typeNameColor: "#a3a3a3",
    typeTitleColor: "#a3a3a3",
  },
  sidebar: { backgroundColor: "#111111", textColor: "#ededed", activeTextColor: "#6cb0ff" },
  rightPanel: { backgroundColor: "#111113", textColor: "#ededed" },
  codeBlock: { backgroundColor: "#000000" },
};

const FONTS = {
  fontFamily: "ui-sans-serif, system-ui, sans-serif",
  headings: { fontFamily: "ui-sans-serif, system-ui, sans-serif", fontWeight: "600" },
  code: { fontFamily: "ui-monospace, monospace" },
};

/** Replaces the page by the viewer. If that fails to start, the plain list stays. */
export const startScript = `(() => {
  const nonce = document.currentScript.nonce;
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
  const theme = dark ? ${JSON.stringify(DARK)} : ${JSON.stringify(LIGHT)};
  theme.typography = ${JSON.stringify(FONTS)};
  theme.typography.code.color = dark ? "#ffb0b0" : "#a3184f";
  const options = { nonce, theme, hideHostname: true, expandResponses: "200", sortRequiredPropsFirst: true, scrollYOffset: 0 };
  Redoc.init("/openapi.json", options, document.getElementById("reference"));
})();
`;
