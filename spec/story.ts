/**
 * A trace as a story: data that a replay can follow, and sentences that a person can read.
 *
 * The format (`spec/stories/*.json`): a step is one call of the store's port, one act of a worker or one of the provider.
 *
 *   who     `A`, `B`: workers, in the order in which they appear; `sweep`, `sweep 2`; `provider`; `prober`; `time`
 *   do      what it does; `answer` is what the model without the guard answered, where there is an answer
 *   about   whose call the provider takes, turns down or loses; whose end is proven
 *
 *   worker   claim (claimNext of one record), begin, send, answered (yes | no), time-out, done, failed, failed-for-good,
 *            unknown, extend, return, crash, give-up, tries-again, lost-answer (the call before was done, its answer lost)
 *   sweep    take (takeToAsk), holder-ended (noteHolderEnded), look-up, apply (decideLookup, applyLookup), crash
 *   provider accept, turn-down, lose
 *   time     tick: the store's clock goes on by one tick. What a call changes beside its answer is told by `leads`.
 *
 * From `cycle` on the steps repeat for ever. A replay stops following a worker that is refused what the story grants it.
 */
import type { Guard, Property } from './guards.ts';
import { PROPERTIES } from './guards.ts';
import { INSTANCES, type Play } from './instances.ts';
import { sentenceOf } from './sentences.ts';

export interface Step {
  readonly tick: number;
  readonly who: string;
  readonly do: string;
  readonly answer?: string;
  readonly about?: string;
  /** What the store did to the record within the call: `queued`, `review`. */
  readonly leads?: string;
}

export interface Story {
  readonly name: string;
  readonly title: string;
  readonly rule: string;
  readonly without: string;
  readonly instance: string;
  readonly violates: Property;
  readonly play: Play | null;
  readonly steps: readonly Step[];
  /** The step from which on it repeats; null for a story that ends. */
  readonly cycle: number | null;
}

/** Reads what the model printed: `WHO DO [ANSWER …]` a line. */
export function storyOf(guard: Guard, trace: readonly string[]): Story {
  const { name, title, rule, without, instance, violates } = guard;
  const cast = new Cast();
  const steps: Step[] = [];
  let tick = 0;
  let cycle: number | null = null;
  let pending: string | undefined;
  for (const line of trace) {
    const [who = '', act = '', ...words] = line.split(' ');
    if (line === 'cycle') cycle = steps.length;
    else if (act === 'violates') continue;
    else if (act === 'store') {
      // A verdict or an answer is told before what it led to, a claim after it.
      const last = steps.at(-1);
      const leads = words[0] === 'review' ? 'review' : 'queued';
      if (last !== undefined && LEADS_ON.has(last.do) && last.leads === undefined)
        steps[steps.length - 1] = { ...last, leads };
      else pending = leads;
    } else {
      if (act === 'tick') tick += 1;
      const [answer, about] = cast.read(act, words);
      const step = {
        tick,
        who: cast.nameOf(who),
        do: act,
        ...answer,
        ...about,
        ...(pending ? { leads: pending } : {}),
      };
      pending = undefined;
      steps.push(step);
    }
  }
  const { play = null } = INSTANCES[instance] ?? {};
  if (cycle === null)
    return { name, title, rule, without, instance, violates, play, steps: withoutWaits(steps), cycle };
  return { name, title, rule, without, instance, violates, play, steps, cycle };
}

/** Leaves out what a sweep asked too early: it changes nothing. */
function withoutWaits(steps: readonly Step[]): Step[] {
  const left = new Set<Step>();
  const asking = new Map<string, Step[]>();
  for (const step of steps) {
    if (!step.who.startsWith('sweep')) continue;
    if (step.do === 'take') asking.set(step.who, [step]);
    else asking.get(step.who)?.push(step);
    if (step.do === 'apply' && step.answer === 'wait') for (const each of asking.get(step.who) ?? []) left.add(each);
  }
  return steps.filter((step) => !left.has(step) || step.do === 'holder-ended');
}

const LEADS_ON: ReadonlySet<string> = new Set(['failed', 'apply']);
const ABOUT: ReadonlySet<string> = new Set(['accept', 'turn-down', 'lose']);

/** Names for the model's numbers: workers in the order of their appearance. */
class Cast {
  readonly #workers: string[] = [];

  nameOf(number: string): string {
    const others: Readonly<Record<string, string>> = { 0: 'time', 3: 'sweep', 4: 'provider', 5: 'sweep 2' };
    const other = others[number];
    if (other !== undefined) return other;
    if (!this.#workers.includes(number)) this.#workers.push(number);
    return 'AB'.charAt(this.#workers.indexOf(number));
  }

  read(act: string, words: readonly string[]): [{ answer?: string }, { about?: string }] {
    const [first, second] = words;
    if (first === undefined) return [{}, {}];
    if (ABOUT.has(act)) return [{}, { about: this.nameOf(first) }];
    if (act === 'probe') return [{ answer: first }, { about: this.nameOf(second ?? '') }];
    return [{ answer: first }, second === undefined ? {} : { about: second }];
  }
}

/** The story as a page. */
export function pageOf(story: Story): string {
  const { title, rule, without, instance, violates, steps, cycle } = story;
  const lines: string[] = [];
  let shown: number | null = null;
  steps.forEach((step, index) => {
    if (index === cycle) lines.push('| | *from here on it repeats* |');
    const text = sentenceOf(step);
    if (text === null) return;
    lines.push(`| ${shown === step.tick ? '' : step.tick} | ${text} |`);
    shown = step.tick;
  });
  return [
    `# ${title}`,
    '',
    `**The guard.** ${rule}`,
    '',
    `Without it (\`${without}\`, instance \`${instance}\`) this is what the model finds. Violated: “${PROPERTIES[violates]}”`,
    '',
    '| tick | |',
    '|--:|---|',
    ...lines,
    '',
    `The same as data: [${story.name}.json](${story.name}.json).`,
    '',
  ].join('\n');
}
