/** At least so long, as people write it in a schedule. */
export function roomyMs(wantedMs: number): number {
  return STEPS_MS.find((ms) => ms >= wantedMs) ?? Math.ceil(wantedMs / 86_400_000) * 86_400_000;
}

const STEPS_MS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720, 1_440].map((minutes) => minutes * 60_000);
