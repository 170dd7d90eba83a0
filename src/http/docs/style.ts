/** The reference page's style sheet, also for dark mode and print. */
export const STYLE = `
:root{color-scheme:light dark;--text:#1b1f24;--soft:#57606a;--back:#fff;--panel:#f4f6f8;--line:#d5dae0;--link:#0b57a4}
@media(prefers-color-scheme:dark){:root{--text:#e6e9ec;--soft:#a3adb8;--back:#14171a;--panel:#1e2328;--line:#363d45;--link:#7cb7ff}}
*{box-sizing:border-box}
body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--text);background:var(--back)}
a{color:var(--link)}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:1rem;background:var(--back);padding:.5rem}
.frame{display:grid;grid-template-columns:17rem minmax(0,1fr);max-width:80rem;margin:auto}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);font-size:.875rem}
nav ul{list-style:none;margin:0 0 1rem;padding:0}nav li{margin:.2rem 0;overflow-wrap:anywhere}
main{padding:1.5rem 2rem 4rem;min-width:0}
h1{margin-top:0}h2{margin-top:3rem;border-bottom:1px solid var(--line)}h3{margin-top:2.5rem;overflow-wrap:anywhere}
h4{margin:1.25rem 0 .4rem}
code,pre{font:.85em/1.5 ui-monospace,monospace}code{background:var(--panel);padding:.1em .3em;border-radius:3px;overflow-wrap:anywhere}
pre{background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:.75rem;overflow:auto;max-height:24rem}
pre code{background:none;padding:0}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600}.method{font-weight:700}.soft{color:var(--soft)}
@media(max-width:50rem){.frame{display:block}nav{position:static;height:auto;border:0}}
@media print{nav,.skip{display:none}.frame{display:block}pre{max-height:none;white-space:pre-wrap}section{break-inside:avoid-page}}
`;
