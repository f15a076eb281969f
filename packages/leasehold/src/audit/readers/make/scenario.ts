import { isObject, type JsonObject, listAt, objectAt, textAt } from '../json/json-value.ts';

/** A module of a scenario, where it stands in the flow. */
export interface MakeModule {
  readonly id: string;
  /** `app:Module`. */
  readonly module: string;
  /** As the editor shows it; the module where it has no name. */
  readonly label: string;
  readonly value: JsonObject;
  /** True where it only runs after an error. */
  readonly isHandler: boolean;
}

/** The flags of a scenario; a missing one has Make's default. */
export interface MakeFlags {
  readonly sequential: boolean;
  readonly keepsIncomplete: boolean;
  readonly dropsData: boolean;
  readonly isInstant: boolean;
}

/** A scenario as far as a file tells of it: the blueprint, or only its record. */
export interface MakeScenario {
  readonly id: string | null;
  readonly name: string | null;
  readonly isActive: boolean | null;
  readonly scheduling: JsonObject | null;
  /** In the order of the flow, branches one after the other; empty where there is no blueprint. */
  readonly modules: readonly MakeModule[];
  /** Null where there is no blueprint. */
  readonly flags: MakeFlags | null;
}

/** Far more than Make allows. */
const MODULES_MAX = 5_000;
const DEPTH_MAX = 40;

/** Null for what is no scenario. Bare, as the editor exports it; in an answer of the API; or a scenario's record. */
export function scenarioIn(value: JsonObject): MakeScenario | null {
  const answer = objectAt(value, 'response') ?? value;
  const blueprint = blueprintIn(answer) ?? blueprintIn(objectAt(answer, 'blueprint') ?? writtenIn(answer['blueprint']));
  const record = isRecord(answer) ? answer : null;
  if (blueprint === null && record === null) return null;
  const active = record?.['isActive'] ?? record?.['isEnabled'];
  return {
    id: textAt(record ?? {}, 'id') ?? textAt(answer, 'scenarioId'),
    name: textAt(record ?? {}, 'name') ?? textAt(blueprint ?? {}, 'name'),
    isActive: typeof active === 'boolean' ? active && record?.['isPaused'] !== true : null,
    scheduling: schedulingIn(answer) ?? schedulingIn(blueprint),
    modules: blueprint === null ? [] : modulesOf(listAt(blueprint, 'flow')),
    flags: blueprint === null ? null : flagsOf(blueprint),
  };
}

function blueprintIn(value: JsonObject | null): JsonObject | null {
  if (value === null || !Array.isArray(value['flow'])) return null;
  const first: unknown = value['flow'][0];
  const hasModule = isObject(first) && typeof first['module'] === 'string';
  return hasModule || (value['flow'].length === 0 && isObject(value['metadata'])) ? value : null;
}

/** An object that is sent to the API as a text; null for any other text. */
function writtenIn(text: unknown): JsonObject | null {
  if (typeof text !== 'string') return null;
  try {
    const inner: unknown = JSON.parse(text);
    return isObject(inner) ? inner : null;
  } catch {
    return null;
  }
}

/** As `GET /scenarios` lists them. */
function isRecord(value: JsonObject): boolean {
  if (textAt(value, 'id') === null || schedulingIn(value) === null) return false;
  return ['isActive', 'isEnabled', 'isPaused', 'usedPackages', 'hookId', 'isinvalid'].some((key) => key in value);
}

/** An object, or, as it is sent to the API, a text of one. */
function schedulingIn(value: JsonObject | null): JsonObject | null {
  const found = value?.['scheduling'];
  if (typeof found !== 'string') return isObject(found) && typeof found['type'] === 'string' ? found : null;
  const inner = writtenIn(found);
  return typeof inner?.['type'] === 'string' ? inner : null;
}

/** Routers and error handlers hold flows of their own. */
function modulesOf(flow: readonly unknown[]): MakeModule[] {
  const modules: MakeModule[] = [];
  const walk = (inner: readonly unknown[], depth: number, isHandler: boolean): void => {
    for (const value of inner) {
      if (!isObject(value) || modules.length >= MODULES_MAX || depth > DEPTH_MAX) continue;
      const module = textAt(value, 'module') ?? 'unknown';
      const designer = objectAt(objectAt(value, 'metadata') ?? {}, 'designer');
      modules.push({
        id: textAt(value, 'id') ?? '',
        module,
        label: textAt(designer ?? {}, 'name') ?? module,
        value,
        isHandler,
      });
      for (const route of listAt(value, 'routes'))
        if (isObject(route)) walk(listAt(route, 'flow'), depth + 1, isHandler);
      walk(listAt(value, 'onerror'), depth + 1, true);
    }
  };
  walk(flow, 0, false);
  return modules;
}

function flagsOf(blueprint: JsonObject): MakeFlags {
  const metadata = objectAt(blueprint, 'metadata') ?? {};
  const scenario = objectAt(metadata, 'scenario') ?? {};
  const [first] = listAt(blueprint, 'flow');
  const trigger = isObject(first) ? first : {};
  return {
    sequential: scenario['sequential'] === true,
    keepsIncomplete: scenario['dlq'] === true,
    dropsData: scenario['dataloss'] === true,
    isInstant:
      metadata['instant'] === true ||
      trigger['listener'] === true ||
      /webhook|^gateway:/i.test(textAt(trigger, 'module') ?? ''),
  };
}
