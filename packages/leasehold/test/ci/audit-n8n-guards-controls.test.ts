/** Negative controls of what counts as a guard in a workflow of n8n: each check taken out, and its test seen failing. */
import { describeMutantsInPairs, type Mutant } from '../mutation.ts';

const at = (file: string, testFile: string): Pick<Mutant, 'file' | 'testFile'> => ({
  file: `src/audit/${file}`,
  testFile: `test/audit/n8n/${testFile}.test.ts`,
});

describeMutantsInPairs('guards in workflows of n8n', [
  {
    broken: 'a lock holds by itself, whoever asks',
    ...at('graph/gates.ts', 'gates'),
    replace: 'if (facts?.asks !== null) open.push(at);',
    by: 'if (facts === null) open.push(at);',
    fails: 'a lock whose answer nothing asks lowers nothing, by whatever way it is taken',
  },
  {
    broken: 'all outputs of what asks are guarded',
    ...at('graph/gates.ts', 'gates'),
    replace: 'if (gate?.lets.has(output) !== true) waiting.push(to);',
    by: 'if (gate === null) waiting.push(to + 0 * output);',
    fails: 'work at the second output of our own node, or at the error output of a lock, is not guarded',
  },
  {
    broken: 'an acquire by HTTP needs no question',
    ...at('n8n-nodes/http.ts', 'gates'),
    replace: "{ guard: 'lock', asks: 'proceed' }",
    by: "{ guard: 'lock' }",
    fails: 'a lock whose answer nothing asks lowers nothing, by whatever way it is taken',
  },
  {
    broken: 'Always Output Data of a lock changes nothing',
    ...at('n8n-nodes/classify.ts', 'gates'),
    replace: "sql.ours.asks ?? (alwaysOutputs && sql.ours.guard === 'lock' ? 'proceed' : null)",
    by: 'sql.ours.asks',
    fails: 'a lock whose answer nothing asks lowers nothing, by whatever way it is taken',
  },
  {
    broken: 'Always Output Data of what asks changes nothing',
    ...at('n8n-nodes/asking.ts', 'gates'),
    replace: 'if (node.alwaysOutputs) found.delete(0);',
    by: '',
    fails: 'an IF that goes on with an empty item is no guard',
  },
  {
    broken: 'a question about anything is one about the lock',
    ...at('n8n-nodes/held-answer.ts', 'gates'),
    replace: 'if (!mentions(text, asked)) return undefined;',
    by: '',
    fails: 'an IF on something else is no guard',
  },
  {
    broken: 'the answer of any node is that of the lock',
    ...at('n8n-nodes/held-answer.ts', 'gates'),
    replace: "return named.length === 0 || named.includes(node) || text.includes('$json');",
    by: 'return named.length >= 0 || named.includes(node);',
    fails: 'an IF on the answer of another node is no guard',
  },
  {
    broken: 'one of several conditions is enough, however they are joined',
    ...at('n8n-nodes/held-answer.ts', 'gates'),
    replace: "/^(?:any|or)$/i.test(textOf(joined) ?? '') ? either(results) : all(results)",
    by: "textOf(joined) === 'never' ? either(results) : all(results)",
    fails: 'an IF on either of two conditions is no guard',
  },
  {
    broken: 'code that speaks of the answer decides by it',
    ...at('n8n-nodes/asking.ts', 'gates'),
    replace: 'return mentions(text, asked) && DECIDES.test(text);',
    by: 'return mentions(text, asked);',
    fails: 'code that hands the answer on is no guard',
  },
  {
    broken: 'what tells that a lock was held needs a guard, too',
    ...at('rules/n8n/guard-missing.ts', 'gates'),
    replace: 'new Set([...open].filter((at) => before.has(at)))',
    by: 'new Set([...open].filter((at) => before.has(at) || at >= 0))',
    fails: 'what tells that it was held needs no guard, and notes at the end of either way are no work',
  },
  {
    broken: 'a claim of given ids answers for its own alone',
    ...at('n8n-nodes/sql-ours.ts', 'gates'),
    replace: "asks: isOfIds && !asksItself(plain, 'owned') ? 'owned' : null",
    by: "asks: isOfIds && plain === '' ? 'owned' : null",
    fails: 'is none where nothing asks, by SQL and by HTTP',
  },
  {
    broken: 'a lock that nothing asks drops events',
    ...at('rules/n8n/drops-events.ts', 'gates'),
    replace: "guard === 'lock' ? holds(flow, at) :",
    by: "guard === 'lock' ? holds(flow, at) || at >= 0 :",
    fails: 'a lock that nothing asks drops no event and is given back in time',
  },
  {
    broken: 'a row that is a flag is a record',
    ...at('graph/flags.ts', 'flags'),
    replace: 'return found === 0 ? flow : { ...flow, facts };',
    by: 'return found >= 0 ? flow : { ...flow, facts };',
    fails: 'is a flag that two runs find free, and is told so and not as records',
  },
  {
    broken: 'a record is a flag',
    ...at('n8n-nodes/flag-row.ts', 'flags'),
    replace: 'if (OF_ITEM.test(textIn(parameters))) return null;',
    by: "if (OF_ITEM.test(textIn(parameters)) && textIn(parameters) === '') return null;",
    fails: 'is none where the row is a record, a setting, or an instant to read on from',
  },
  {
    broken: 'a flag that nothing asks is one',
    ...at('graph/flags.ts', 'flags'),
    replace: 'if (first === undefined || !isAsked(flow, read, { row, setters })) return [];',
    by: 'if (first === undefined) return [];',
    fails: 'is none where the row is a record, a setting, or an instant to read on from',
  },
  {
    broken: 'a lock of a transaction is taken for one of a statement that works',
    ...at('n8n-nodes/sql.ts', 'flags'),
    replace: 'ours === null && !touches ? connectionLock(plain) : null',
    by: 'ours === null ? connectionLock(plain) : null',
    fails: 'inside the statement that does the work is in its place',
  },
  {
    broken: 'anything that looks like a guard hides one that is missing',
    ...at('rules/n8n/guard-missing.ts', 'flags'),
    replace: "finding.severity !== 'info' && before.has(guard)",
    by: "finding.severity !== 'info' && before.has(guard)) || [...before].some((node) => doing(flow, node)?.guard !== null",
    fails: 'a value of Redis that nothing sets is no guard, and hides no guard that is missing',
  },
]);
