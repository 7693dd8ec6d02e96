/** The whole style sheet, inline: one request paints the page, and the policy allows this text by its hash. */
export const style = `
:root{color-scheme:light dark;--ground:#f4f3ef;--card:#fff;--ink:#1b1a17;--soft:#5c5a53;--line:#e2dfd6;
--accent:#1d4ed8;--on-accent:#fff;--field:#f7f6f2;--round:1.25rem}
@media (prefers-color-scheme:dark){:root{--ground:#121316;--card:#1c1e22;--ink:#f2f1ed;--soft:#b3b1a9;
--line:#33363c;--accent:#9db8ff;--on-accent:#0c1530;--field:#15171a}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{min-height:100vh;min-height:100svh;display:flex;flex-direction:column;align-items:center;justify-content:center;
padding:1.25rem 1rem;background:var(--ground);color:var(--ink);
font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:27rem;padding:1.75rem 1.5rem;background:var(--card);border:1px solid var(--line);
border-radius:var(--round);display:grid;gap:1.5rem}
.app{display:flex;align-items:center;gap:.75rem;font-weight:600}
.tile{flex:none;display:grid;place-items:center;width:3rem;height:3rem;border-radius:.8rem;background:var(--accent);
color:var(--on-accent);font-size:1.4rem;font-weight:700;overflow:hidden}
h1{margin-top:1rem;font-size:clamp(1.5rem,1.1rem + 2.2vw,2rem);line-height:1.2;letter-spacing:-.015em;text-wrap:balance}
h1:first-child{margin-top:0}
h2{font-size:1rem}
p{text-wrap:pretty}
.lead{margin-top:.6rem;color:var(--soft)}
.code{padding:1rem 1.1rem;background:var(--field);border:1px dashed var(--soft);border-radius:.9rem;text-align:center}
.code .label{color:var(--soft);font-size:.875rem}
.code output{display:block;margin:.15rem 0;font:700 clamp(1.55rem,1.1rem + 3.2vw,2.1rem)/1.3 ui-monospace,"SF Mono",
Menlo,Consolas,"Liberation Mono",monospace;letter-spacing:.06em;-webkit-user-select:all;user-select:all}
.code output.long{font-size:1.2rem;letter-spacing:.02em}
button,.store{display:flex;align-items:center;justify-content:center;min-height:3rem;padding:.6rem 1.25rem;
border-radius:.8rem;font-family:inherit;font-size:1rem;font-weight:600;line-height:1.3;text-align:center;text-decoration:none;cursor:pointer}
button{width:100%;margin-top:.6rem;background:transparent;color:var(--accent);border:1px solid var(--accent)}
button[hidden]{display:none}
.status{min-height:1.5em;color:var(--soft);font-size:.875rem}
.status:empty{display:none}
ol{padding:0;margin-top:.75rem;list-style:none;counter-reset:step;display:grid;gap:.75rem}
li{counter-increment:step;display:grid;grid-template-columns:1.75rem 1fr;gap:.75rem}
li::before{content:counter(step);display:grid;place-items:center;width:1.75rem;height:1.75rem;border-radius:50%;
border:1px solid var(--line);background:var(--field);font-size:.875rem;font-weight:700}
li span{color:var(--soft)}
li strong{display:block;color:var(--ink);font-weight:600}
.stores{display:grid;gap:.6rem}
.store{background:transparent;color:var(--ink);border:1px solid var(--soft)}
.store.first{background:var(--accent);color:var(--on-accent);border-color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
@media (hover:hover){button:hover,.store:hover{text-decoration:underline;text-underline-offset:.2em}}
@media (min-width:56rem){
main.wide{max-width:58rem;padding:2.75rem;grid-template-columns:1fr 1fr;gap:2.25rem 3.5rem;align-items:start}
main.wide .code{grid-column:1}
main.wide .how{grid-column:2;grid-row:1/span 2;display:grid;gap:1.75rem}
h1{font-size:2.25rem}}
@media (max-width:56rem){.how{display:grid;gap:1.5rem}.how .stores{order:-1}}
@media (prefers-contrast:more){:root{--soft:var(--ink);--line:var(--ink)}}
`;
