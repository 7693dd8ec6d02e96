/** The style of the page around the viewer, in the colours of the other pages. */
export const referenceStyle = `
:root{color-scheme:light dark;--page:light-dark(#fafafa,#0a0a0a);--surface:light-dark(#fff,#111);--line:light-dark(#e6e6e6,#262626);--ink:light-dark(#171717,#ededed);--muted:light-dark(#5c5c5c,#a3a3a3);--accent:light-dark(#0059c9,#6cb0ff)}
[data-theme=light]{color-scheme:light}
[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 ui-sans-serif,system-ui,sans-serif}
a{color:var(--accent)}
header{display:flex;flex-wrap:wrap;align-items:center;gap:4px 20px;padding:12px 20px;background:var(--surface);border-bottom:1px solid var(--line);font-size:15px}
header a{display:inline-flex;align-items:center;min-height:32px;color:var(--ink);text-decoration:none}
header a:hover{text-decoration:underline}
header a:first-child{font-weight:600;margin-right:auto}
.plain{max-width:760px;margin:0 auto;padding:40px 20px 80px}
.plain h1{font-size:32px;line-height:1.2;letter-spacing:-.02em;margin:0 0 12px}
.plain h2{font-size:18px;margin:32px 0 4px}
.plain p{margin:0 0 12px}
.plain code{font:14px/1.6 ui-monospace,monospace;overflow-wrap:anywhere;color:var(--accent)}
.muted{color:var(--muted)}
`;

const DARK = (scope: string) => `
${scope} h5,${scope} h5 *{color:#a3a3a3!important;border-color:#333!important}
${scope} svg polygon{fill:#a3a3a3!important}
${scope} .menu-content+div{background:#2e2e2e!important;color:#ededed!important}
${scope} .menu-content+div svg path{fill:#ededed!important}
${scope} .react-tabs__tab--selected{background:#2e2e2e!important}
`;

/** Dark colours that the viewer has no option for. */
export const darkStyle = `${DARK("[data-theme=dark] #reference")}
@media (prefers-color-scheme:dark){${DARK(":root:not([data-theme=light]) #reference")}}`;
