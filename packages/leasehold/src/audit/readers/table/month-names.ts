/** Names of months and their short forms, without accents, in the languages that exports come in. */
const NAMES = [
  'jan janvier januar january enero gennaio janeiro',
  'feb fev february februar fevrier febrero febbraio fevereiro',
  'mar mrz marz march mars marzo marco maerz',
  'apr avr abr april avril abril aprile',
  'may mai mayo maggio maio mag',
  'jun juin june juni junio giugno junho giu',
  'jul juil july juli juillet julio luglio julho lug',
  'aug aou ago august aout agosto',
  'sep sept set september septembre septiembre settembre setembro',
  'oct okt ott out october oktober octobre octubre ottobre outubro',
  'nov november novembre noviembre novembro',
  'dec dez dic december dezember decembre diciembre dicembre dezembro',
];

export const MONTHS: Readonly<Record<string, number>> = Object.fromEntries(
  NAMES.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1])),
);
