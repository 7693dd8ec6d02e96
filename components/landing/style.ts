import { DEFAULT_ACCENT } from "@/lib/contract/colour";
import type { PreviewScheme } from "@/lib/contract/landing";

/** The whole style sheet, inline, so that one request paints the page; the policy allows it by its hash. */
export const landingStyle = `
:root{color-scheme:light dark;--ground:#f4f3ef;--card:#fff;--ink:#1b1a17;--soft:#5c5a53;--line:#e2dfd6;
--accent:${DEFAULT_ACCENT};--fill:${DEFAULT_ACCENT};--on-fill:#fff;--field:#f7f6f2;--lift:0 1px 2px #1b1a170d,0 12px 32px #1b1a1714}
@media (prefers-color-scheme:dark){:root{--ground:#121316;--card:#1c1e22;--ink:#f2f1ed;--soft:#b3b1a9;
--line:#33363c;--accent:#9db8ff;--fill:#9db8ff;--on-fill:#000;--field:#15171a;--lift:none}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{min-height:100vh;min-height:100svh;display:flex;flex-direction:column;align-items:center;justify-content:center;
gap:1rem;padding:1.25rem 1rem;background:var(--ground);
background:linear-gradient(color-mix(in srgb,var(--fill) 10%,var(--ground)),var(--ground) 24rem) var(--ground);
color:var(--ink);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;
overflow-wrap:anywhere;text-wrap:pretty}
:lang(ar),:lang(fa),:lang(ur),:lang(hi),:lang(bn),:lang(th){line-height:1.7}
main{width:100%;max-width:27rem;padding:1.75rem 1.5rem;background:var(--card);border:1px solid var(--line);
border-radius:1.5rem;box-shadow:var(--lift);display:grid;gap:1.5rem}
.app{display:flex;align-items:center;gap:.875rem;font-weight:600}
.tile{flex:none;display:grid;place-items:center;width:3.5rem;height:3.5rem;border-radius:.95rem;background:var(--fill);
color:var(--on-fill);font-size:1.6rem;font-weight:700;overflow:hidden;object-fit:cover}
img.tile{background:var(--field);box-shadow:0 0 0 1px var(--line)}
h1{font-size:1.6rem;line-height:1.2;letter-spacing:-.015em;text-wrap:balance}
.app+h1{margin-top:1.15rem}
.from{margin:1.15rem 0 .3rem;font-weight:500}
.from+h1{font-size:clamp(1.75rem,1.2rem + 2.6vw,2.35rem);line-height:1.15;letter-spacing:-.02em}
:lang(ar) h1,:lang(fa) h1,:lang(ur) h1,:lang(hi) h1,:lang(bn) h1,:lang(th) h1{line-height:1.45;letter-spacing:0}
h2{font-size:1rem}
.lead{margin-top:.6rem;color:var(--soft)}
.code{padding:1.1rem 1.1rem 1.15rem;background:var(--field);border:1.5px dashed var(--accent);border-radius:1rem;text-align:center}
.code .label{color:var(--soft);font-size:.875rem;font-weight:500}
.code output{display:block;margin:.1rem 0;font:700 clamp(1.5rem,1rem + 2.6vw,1.9rem)/1.35 ui-monospace,"SF Mono",
Menlo,Consolas,"Liberation Mono",monospace;letter-spacing:.06em;-webkit-user-select:all;user-select:all}
.code output.long{font-size:1.2rem;letter-spacing:.02em}
.until{color:var(--soft);font-size:.875rem;text-wrap:balance}
.acts{display:flex;flex-wrap:wrap;gap:.6rem;margin-top:.8rem}
button{flex:1 1 auto;min-height:3rem;padding:.6rem 1rem;border-radius:.85rem;font-family:inherit;font-size:1rem;
font-weight:600;line-height:1.3;cursor:pointer;background:var(--card);color:var(--accent);border:1px solid var(--accent)}
[hidden]{display:none}
.status{margin-top:.5rem;color:var(--soft);font-size:.875rem}
.status:empty{margin:0}
ol{padding:0;margin-top:.85rem;list-style:none;counter-reset:step;display:grid;gap:.85rem}
li{counter-increment:step}
ol li{display:grid;grid-template-columns:1.75rem 1fr;gap:.75rem}
ol li::before{content:counter(step);display:grid;place-items:center;width:1.75rem;height:1.75rem;border-radius:50%;
border:1px solid var(--accent);color:var(--accent);font-size:.875rem;font-weight:700;line-height:1}
ol span{color:var(--soft)}
ol strong{display:block;color:var(--ink);font-weight:600}
.how{display:grid;gap:1.5rem}
.stores{display:flex;flex-wrap:wrap;gap:.6rem}
.store{display:flex;align-items:center;gap:.4rem;max-width:100%;min-height:2.875rem;padding:.25rem .55rem;border:1px solid #a6a6a6;
border-radius:.45rem;background:#000;color:#fff;font-size:.5625rem;line-height:1.2;text-decoration:none}
.ios{min-width:min(8.625rem,100%)}
.android{min-width:min(9.7rem,100%)}
.store svg{flex:none;width:1.5rem;height:1.5rem}
.store b{display:block;font-size:1rem;font-weight:500}
.qr{display:none}
.qr svg{flex:none;display:block;width:8.5rem;height:8.5rem;background:#fff;border-radius:.75rem;border:1px solid var(--line)}
.qr figcaption{color:var(--soft);font-size:.9375rem;text-wrap:balance}
footer{width:100%;max-width:27rem;color:var(--soft);font-size:.9375rem}
summary{display:flex;align-items:center;gap:.5rem;width:fit-content;min-height:2.75rem;margin:0 auto;padding:.5rem 1rem;
border-radius:.75rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary::after{content:"";width:.4rem;height:.4rem;border:solid;border-width:0 1.5px 1.5px 0;transform:translateY(-.12rem) rotate(45deg)}
[open] summary::after{transform:translateY(.12rem) rotate(225deg)}
footer ul{margin-top:.5rem;padding:.5rem;list-style:none;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(7.75rem,100%),1fr));
background:var(--card);border:1px solid var(--line);border-radius:1rem}
footer a{display:flex;align-items:center;min-height:2.75rem;padding:.3rem .6rem;border-radius:.5rem;color:var(--ink);text-decoration:none}
footer a[aria-current]{color:var(--accent);font-weight:700}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
noscript img{position:absolute}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
@media (hover:hover){button:hover,.store:hover,footer a:hover,summary:hover{text-decoration:underline;text-underline-offset:.2em}}
@media (min-width:40rem){.qr{display:flex;align-items:center;gap:1rem}}
@media (min-width:56rem){
main.wide{max-width:58rem;padding:2.75rem;grid-template-columns:1fr 1fr;gap:2.25rem 3.5rem;grid-template-rows:auto 1fr;align-items:start}
main.wide .how{grid-column:2;grid-row:1/span 2}
main.wide~footer{max-width:58rem}
.from+h1{font-size:2.75rem}}
@media (max-width:56rem){.how .stores{order:-1}}
@media (prefers-contrast:more){:root{--soft:var(--ink);--line:var(--ink)}}
@media print{body{background:none}.acts,footer{display:none}}
`;

/** A style sheet of the page; a preview has it in one colour scheme, whatever the system's. */
export function inScheme(css: string, scheme: PreviewScheme | undefined): string {
  if (scheme === undefined || scheme === "system") return css;
  return css
    .replaceAll("(prefers-color-scheme:dark)", scheme === "dark" ? "all" : "not all")
    .replace("color-scheme:light dark", `color-scheme:${scheme}`);
}
