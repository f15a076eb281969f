/**
 * `npm run spec [-- NAME …] [--write]`: checks the model.
 *
 * 1. Every instance as it is: exhaustive, and nothing may be violated.
 * 2. Every guard taken away: its property must be violated, and the story must be the one that is kept in `stories`.
 *
 * Names pick instances and guards; `--write` keeps the stories that are found. Ends with 1 where anything is otherwise.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type Guard, GUARDS } from './guards.ts';
import { INSTANCES } from './instances.ts';
import { type Found, search } from './spin.ts';
import { pageOf, storyOf } from './story.ts';

const STORIES = join(import.meta.dirname, 'stories');
const AT_ONCE = 2;

interface Task {
  readonly name: string;
  /** A line that says what came of it; throws where it isn't as it should be. */
  run(): Promise<string>;
}

function figures({ states, seconds }: Found): string {
  return `${states.toLocaleString('en').padStart(12)} states ${seconds.toFixed(1).padStart(6)} s`;
}

function instanceTasks(): Task[] {
  return Object.entries(INSTANCES).map(([name, { model, kind, flags, says }]) => ({
    name,
    run: async () => {
      const found = await search({ model, kind, flags, shortest: false });
      if (found.violates !== null) throw new Error(`violates ${found.violates}:\n${found.trace.join('\n')}`);
      return `${figures(found)}  holds: ${says}`;
    },
  }));
}

function guardTasks(write: boolean, isComparable: boolean): Task[] {
  return GUARDS.map((guard) => ({
    name: guard.name,
    run: async () => {
      const found = await searchWithout(guard);
      if (found.violates !== guard.violates) {
        throw new Error(`${guard.without} violates ${found.violates ?? 'nothing'}, not ${guard.violates}`);
      }
      if (write || isComparable) keepStory(guard, found, write);
      return `${figures(found)}  violates ${guard.violates} without it`;
    },
  }));
}

async function searchWithout({ instance, without }: Guard): Promise<Found> {
  const taken = INSTANCES[instance];
  if (taken === undefined) throw new Error(`no such instance: ${instance}`);
  const { model, kind, flags, isShort } = taken;
  // A cycle is found with one worker as well, and told in fewer words.
  const fewer = kind === 'liveness' && model === 'record.pml' ? ['ONE_WORKER'] : [];
  return await search({ model, kind, flags: [...flags, ...fewer, without], shortest: isShort });
}

function keepStory(guard: Guard, found: Found, write: boolean): void {
  const story = storyOf(guard, found.trace);
  const files = { [`${guard.name}.json`]: `${JSON.stringify(story, null, 2)}\n`, [`${guard.name}.md`]: pageOf(story) };
  for (const [file, text] of Object.entries(files)) {
    const path = join(STORIES, file);
    if (write) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text)
      throw new Error(`${file} is another story: npm run spec -- ${guard.name} --write`);
  }
}

/** Another Spin may find another way to the same violation. */
const STORIES_OF = 'Spin Version 6.5.2';

/** Stories of guards that are no more. */
function checkLeftovers(write: boolean): void {
  const names = new Set(GUARDS.flatMap(({ name }) => [`${name}.json`, `${name}.md`]));
  const left = readdirSync(STORIES).filter((file) => !names.has(file));
  if (write) for (const file of left) rmSync(join(STORIES, file));
  else if (left.length > 0) throw new Error(`stories of no guard: ${left.join(', ')}`);
}

async function runAll(tasks: readonly Task[]): Promise<string[]> {
  const failed: string[] = [];
  const queue = tasks.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const task of queue) {
        try {
          console.log(`ok      ${task.name.padEnd(28)} ${await task.run()}`);
        } catch (error) {
          console.log(`FAILED  ${task.name}: ${error instanceof Error ? error.message : String(error)}`);
          failed.push(task.name);
        }
      }
    }),
  );
  return failed;
}

function version(command: string): string {
  const { stdout, error } = spawnSync(command, [command === 'spin' ? '-V' : '--version'], { encoding: 'utf8' });
  if (error !== undefined)
    throw new Error(`the model needs ${command}: on Debian, sudo apt-get install spin gcc libc6-dev`);
  return stdout.split('\n')[0] ?? '';
}

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } });
  const write = values.write === true;
  const begunAt = performance.now();
  const spin = version('spin');
  console.log(`${spin}, ${version('gcc')}`);
  const isComparable = spin.startsWith(STORIES_OF);
  if (!isComparable) console.log(`the stories are those of ${STORIES_OF}: they are not compared`);
  mkdirSync(STORIES, { recursive: true });
  const all = [...instanceTasks(), ...guardTasks(write, isComparable)];
  const unknown = positionals.filter((name) => !all.some((task) => task.name === name));
  if (unknown.length > 0) throw new Error(`no such instance or guard: ${unknown.join(', ')}`);
  const tasks = positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name));
  const failed = await runAll(tasks);
  if (positionals.length === 0) checkLeftovers(write);
  const seconds = ((performance.now() - begunAt) / 1_000).toFixed(0);
  console.log(`${tasks.length - failed.length} of ${tasks.length} as they should be, in ${seconds} s`);
  return failed.length === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
