/** What columns are called that tell rows of one job apart, and what those are called that don't. Neither settles it alone. */
const APART = words(
  'tenant customer client account org organization organisation company shard partition step task stage phase queue region zone site store shop location country market brand project workspace database db schema table dataset feed channel environment env team domain topic bucket model asset matrix target mandant kunde filiale etape paso cliente',
);
/** What works them, what started them, what came of them, and when. */
const OTHERS = words(
  'worker workers pod replica instance process pid thread container executor runner agent node host server machine user username owner actor author schedule timer cron rule trigger triggered source origin type kind event mode status state result outcome message msg note notes comment error errors reason code skipped duplicate count rows records items size bytes cpu memory minute hour second day date weekday time month year at attempt attempts retries retry priority level severity version sha commit url link lane leader slot',
);

export const isApartByName = (column: string): boolean => wordsIn(column).some((word) => APART.has(word));
export const isWorkedBy = (column: string): boolean => wordsIn(column).some((word) => OTHERS.has(word));

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

function wordsIn(column: string): readonly string[] {
  return column
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
}
