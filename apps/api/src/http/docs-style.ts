import { createHash } from 'node:crypto'

export const docsStyle = `
:root{color-scheme:light dark;--ground:#fff;--ink:#111;--soft:#595959;--line:#dedede;--shade:#f6f6f6}
@media (prefers-color-scheme:dark){:root{--ground:#000;--ink:#f2f2f2;--soft:#a6a6a6;--line:#2e2e2e;--shade:#121212}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-block-start:16px}
body{background:var(--ground);color:var(--ink);font:14px/24px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums}
header,.columns{max-inline-size:1200px;margin-inline:auto;padding-inline:16px}
header{padding-block:32px 24px}
h1{font-size:24px;line-height:32px;font-weight:600;overflow-wrap:anywhere}
h2{font-size:20px;line-height:32px;font-weight:600}
h3{font-size:14px;line-height:24px;font-weight:600;overflow-wrap:anywhere}
h4{font-size:14px;line-height:24px;font-weight:600}
a{color:inherit;text-underline-offset:4px}
p{max-inline-size:72ch}
.soft{color:var(--soft)}
code,pre{font:13px/24px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{white-space:pre-wrap;padding:8px 16px;border-radius:4px;background:var(--shade)}
main{display:grid;gap:64px;padding-block-end:64px;min-inline-size:0}
section{display:grid;gap:16px;min-inline-size:0}
article{display:grid;gap:16px;padding-block:24px;border-block-start:1px solid var(--line);min-inline-size:0}
nav{padding-block-end:48px}
nav ul{list-style:none;padding:0}
nav li a{display:block;padding-block:4px;overflow-wrap:anywhere;text-decoration:none}
nav li a:hover{text-decoration:underline}
nav summary{min-block-size:40px;align-content:center;cursor:pointer;font-weight:600}
.head{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:baseline}
.who{padding-inline:8px;border:1px solid var(--line);border-radius:4px;color:var(--soft);font-size:13px;font-weight:400}
dl{display:grid;gap:8px}
dt{overflow-wrap:anywhere}
dd{color:var(--soft);overflow-wrap:anywhere}
dd code{color:var(--ink)}
:target{outline:2px solid var(--line);outline-offset:8px;border-radius:4px}
:focus-visible{outline:2px solid var(--ink);outline-offset:2px;border-radius:4px}
@media (min-width:640px){dl>div{display:grid;grid-template-columns:minmax(0,240px) minmax(0,1fr);column-gap:16px}}
@media (min-width:1000px){.columns{display:grid;grid-template-columns:280px minmax(0,1fr);column-gap:64px}
nav{position:sticky;inset-block-start:0;max-block-size:100vh;overflow-y:auto;padding-block:8px 32px;font-size:13px}}
@supports selector(::details-content){@media (min-width:1000px){nav summary{list-style:none;pointer-events:none}
nav summary::-webkit-details-marker{display:none}
nav details::details-content{content-visibility:visible;block-size:auto}}}
@media print{nav{display:none}}
`

/** For style-src: the page has this one style element, no other style and no script. */
export const docsStyleSource = `'sha256-${createHash('sha256').update(docsStyle).digest('base64')}'`
