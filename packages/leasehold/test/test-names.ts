/** The names of tests as they stand in source: of tests, of groups of them, and of facts of the conformance suite. */
export const TEST_NAME: RegExp = /\b(?:test|it|describe\w*|fact|odd)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gs;

/** As they are written, `${…}` and all. */
export function testNames(text: string): string[] {
  return [...text.matchAll(TEST_NAME)].map(([, , name = '']) => name);
}

/** True where a test of this text is called `name`, or has it as a part of its name; what is filled in may stand for anything. */
export function hasTest(text: string, name: string): boolean {
  return testNames(text).some((written) => {
    const parts = written.split(/\$\{[^}]*\}/);
    const escaped = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    return parts.some((part) => part.includes(name)) || new RegExp(`^${escaped.join('.+')}$`, 's').test(name);
  });
}
