import { createHash } from 'node:crypto'

export const pageStyle = `
:root{color-scheme:light dark;--ground:#fff;--ink:#111;--soft:#595959;--line:#dedede;--edge:#767676;--good:#166534;--bad:#b91c1c}
@media (prefers-color-scheme:dark){:root{--ground:#000;--ink:#f2f2f2;--soft:#a6a6a6;--line:#2e2e2e;--edge:#7d7d7d;--good:#4ade80;--bad:#f87171}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{background:var(--ground);color:var(--ink);font:14px/24px system-ui,-apple-system,"Segoe UI",Roboto,Vazirmatn,"Noto Sans Arabic",Tahoma,sans-serif;font-variant-numeric:tabular-nums}
header,main{max-inline-size:960px;margin-inline:auto;padding-inline:16px}
header{display:flex;align-items:center;justify-content:space-between;gap:16px;min-block-size:56px;padding-block:8px}
.brand{font-weight:600;overflow-wrap:anywhere}
main{display:grid;gap:40px;padding-block:24px 56px}
main>*{min-inline-size:0}
h1{font-size:24px;line-height:32px;font-weight:600;overflow-wrap:anywhere}
h2{font-size:16px;line-height:24px;font-weight:600}
h3{font-size:14px;line-height:24px;font-weight:600}
.hint{color:var(--soft);margin-block-end:16px}
ol.hint{padding-inline-start:24px}
:lang(fa) ol{list-style:persian}
.stores{margin-block-end:16px}
.hint bdi,.stores bdi{white-space:nowrap}
.scan{margin-block-start:8px}
.stores span{display:block}
.way{display:grid;gap:8px;margin-block-end:24px;justify-items:start}
.way .link{inline-size:100%}
.state{display:flex;align-items:center;gap:8px;font-weight:600}
p.state{margin-block:8px 16px}
.state.good{color:var(--good)}
.state.bad{color:var(--bad)}
.state.unknown{color:var(--soft);font-weight:400}
.servers{margin-block-start:24px}
.servers ul{padding:0;margin-block:8px;max-inline-size:640px;list-style:none}
.servers li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 16px;padding-block:8px;border-block-end:1px solid var(--line)}
.servers bdi{min-inline-size:0;overflow-wrap:anywhere}
.icon{inline-size:16px;block-size:16px;flex:none;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.facts{display:grid;gap:16px 40px;grid-template-columns:repeat(auto-fit,minmax(200px,max-content))}
dt,.soft{color:var(--soft)}
dd{font-weight:600}
dd .soft{display:block;font-weight:400}
.reason{margin-block-end:24px;padding:16px;border:1px solid var(--line);border-inline-start:4px solid var(--bad);border-radius:4px;max-inline-size:640px}
.reason p+p{margin-block-start:8px}
a{color:inherit;text-underline-offset:4px}
.control{display:inline-flex;align-items:center;justify-content:center;min-block-size:40px;padding-inline:16px;border:1px solid var(--edge);border-radius:4px;text-decoration:none;font-weight:500}
.control:hover{border-color:var(--ink)}
.control.first{background:var(--ink);border-color:var(--ink);color:var(--ground)}
.plain{display:inline-flex;align-items:center;min-block-size:40px;flex:none}
.system{border-block-end:1px solid var(--line)}
.system>summary{display:flex;align-items:center;justify-content:space-between;gap:8px;min-block-size:48px;cursor:pointer;font-weight:500;list-style:none}
.system>summary::-webkit-details-marker,.scan>summary::-webkit-details-marker{display:none}
.system[open]>summary .icon{transform:rotate(180deg)}
.apps{display:flex;flex-wrap:wrap;gap:8px;padding:0;padding-block-end:16px;list-style:none}
.scan>summary{display:inline-grid;gap:8px;justify-items:center;max-inline-size:100%;cursor:zoom-in;list-style:none;border-radius:4px}
.code{display:block;max-inline-size:100%;block-size:auto;border:1px solid var(--line);border-radius:4px}
.scan .more,.scan .less{min-block-size:40px;align-content:center;text-decoration:underline;text-underline-offset:4px}
.scan .less,.scan[open] .more{display:none}
.scan[open]>summary{position:fixed;inset:0;z-index:1;display:grid;align-content:center;background:#fff;color:#111;cursor:zoom-out;border-radius:0;outline-offset:-4px}
.scan[open] .code{inline-size:min(100vw,100vh - 64px);border:0}
.scan[open] .less{display:block}
.link{display:block;padding:16px;border:1px solid var(--line);border-radius:4px;font:14px/24px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;text-align:start;overflow-wrap:anywhere;-webkit-user-select:all;user-select:all}
.wide{display:grid;gap:40px}
:focus-visible{outline:2px solid var(--ink);outline-offset:2px;border-radius:4px}
@media (min-width:800px){main.two{grid-template-columns:minmax(0,1fr) minmax(0,344px);column-gap:80px}.wide,.top{grid-column:1/-1}}
`

export const pageStyleSource = `'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`
