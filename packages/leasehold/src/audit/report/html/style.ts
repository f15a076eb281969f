import { raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** One sheet, light and dark by what the reader's system asks for; on paper always light, and no section cut in two. */
export const STYLE: HtmlEscapedString = raw(`
:root {
  color-scheme: light dark;
  --page: #fbfaf7; --card: #ffffff; --ink: #1d2430; --soft: #5b6472; --line: #e0dfd8;
  --run: #7c9cc4; --overlap: #b3261e; --good: #1f6b46; --critical: #b3261e; --warning: #8a5a00; --info: #375a8c;
  --critical-soft: #fbe9e7; --warning-soft: #fdf1d8; --info-soft: #e8eff8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --card: #1c2027; --ink: #e7e9ec; --soft: #a2abb8; --line: #333a44;
    --run: #6486b3; --overlap: #ff8a80; --good: #7fd3a6; --critical: #ff8a80; --warning: #f0b95a; --info: #8fb7ea;
    --critical-soft: #3b2120; --warning-soft: #362b15; --info-soft: #1d2a3b;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main, header, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
h4 { font-size: .8rem; margin: 1.25rem 0 .4rem; color: var(--soft); text-transform: uppercase; letter-spacing: .05em; }
p { margin: .4rem 0; max-width: 46rem; }
.soft, footer { color: var(--soft); }
.small { font-size: .875rem; }
a { color: var(--info); }
:focus-visible { outline: 3px solid var(--info); outline-offset: 2px; }
.tally { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none; }
.tally li { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem 1rem; min-width: 8rem; }
.tally b { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 1rem 0; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; margin: .6rem 0; }
.facts div { min-width: 6rem; }
.facts dt { color: var(--soft); font-size: .8rem; }
.facts dd { margin: 0; font-variant-numeric: tabular-nums; }
.finding { border-left: 4px solid var(--line); padding: .1rem 0 .1rem .9rem; margin: .9rem 0; }
.finding.critical { border-color: var(--critical); }
.finding.warning { border-color: var(--warning); }
.finding.info { border-color: var(--info); }
.label { white-space: nowrap; border-radius: .3rem; padding: .05rem .45rem; font-size: .8rem; font-weight: 600; }
.label.critical { color: var(--critical); background: var(--critical-soft); }
.label.warning { color: var(--warning); background: var(--warning-soft); }
.label.info { color: var(--info); background: var(--info-soft); }
.label.good { color: var(--good); border: 1px solid currentColor; }
code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere; }
details { margin: .4rem 0; }
summary { cursor: pointer; color: var(--soft); font-size: .875rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; font-size: .8rem; }
.changes, .rest { table-layout: fixed; min-width: 36rem; }
.changes th:nth-child(1), .rest th:nth-child(1) { width: 26%; }
.changes th:nth-child(2) { width: 6.5rem; }
.rest th.number { width: 7.5rem; }
td.number, th.number { text-align: right; padding-right: 1.75rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: .4rem 0; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
svg .run { fill: var(--run); }
svg .overlap { fill: var(--overlap); }
svg .grid { stroke: var(--line); }
svg .limit { stroke: var(--warning); stroke-width: 1.5; stroke-dasharray: 5 3; }
svg .said { fill: var(--warning); }
footer { padding-bottom: 3rem; margin-top: 2.5rem; }
@media (max-width: 40rem) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  .changes, .rest { min-width: 0; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td, td.number { border: 0; padding: .1rem 0; text-align: left; white-space: normal; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); font-size: .8rem; }
  figure { overflow-x: auto; }
  figure svg { width: 52rem; max-width: none; }
}
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --critical-soft: #fff; --warning-soft: #fff; --info-soft: #fff;
    --run: #8aa5c8; --overlap: #b3261e; --critical: #b3261e; --warning: #7a4f00; --info: #2b4a78; --good: #1f6b46; }
  body { font-size: 11pt; }
  article, .finding, figure, tr { break-inside: avoid; }
  details > summary { display: none; }
  details::details-content { content-visibility: visible; }
  a { color: inherit; text-decoration: none; }
}
`);
