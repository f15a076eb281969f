/** Every field report is answered by a test that bears its number, and no test bears a number that nobody knows. */
import { testNames } from '../test-names.ts';
import type { Finding, Tree } from './tree.ts';

/** Not the rules' own tests, which have made-up names in their texts. */
const TESTS = /^packages\/leasehold\/(test\/(?!tidy\/)|src\/testing\/).*\.ts$/;
const NUMBERS = /\((C\d+(?:, C\d+)*)\)/g;

export interface Reports {
  readonly known: ReadonlySet<string>;
  /** Those that no test answers yet. */
  readonly unanswered: ReadonlySet<string>;
}

export function reportFindings(tree: Tree, { known, unanswered }: Reports): Finding[] {
  const answers = new Map(
    [...tree]
      .filter(([path]) => TESTS.test(path))
      .flatMap(([path, text]) => numbersIn(text).map((number): [string, string] => [number, path])),
  );
  return [
    ...[...answers]
      .filter(([number]) => !known.has(number))
      .map(([number, path]) => `${path}: ${number} is no field report; list it in test/field-reports.ts`),
    ...[...known]
      .filter((number) => !answers.has(number) && !unanswered.has(number))
      .map((number) => `field report ${number} has no test that bears its number`),
    ...[...unanswered]
      .filter((number) => answers.has(number) || !known.has(number))
      .map((number) => `field report ${number} is answered, or unknown: take it from those that are not answered`),
  ];
}

function numbersIn(text: string): string[] {
  return testNames(text).flatMap((name) =>
    [...name.matchAll(NUMBERS)].flatMap(([, numbers = '']) => numbers.split(', ')),
  );
}
