/** Ends what was put together from parts, some of which end in a question. */
export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
