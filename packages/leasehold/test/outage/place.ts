/**
 * A place that must never hold two at a time: each guarded command enters by opening a connection and leaves when
 * the last of its processes is gone, since all of them have that connection. The place counts by itself, whatever
 * the commands, their wrappers and the store say.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface Place extends AsyncDisposable {
  /** A command that enters, says `ready PID`, and stays until `script` (bash) is through. */
  command(script: string): readonly string[];
  /** How many are in it now, how many were at the most, and how many came. */
  readonly now: number;
  readonly most: number;
  readonly entered: number;
}

/** Stays for so long, whoever asks it to go; USR1 ends it with 4. */
export function stubbornFor(seconds: number): string {
  return `trap '' TERM INT HUP; trap 'exit 4' USR1; say_ready; for n in $(seq ${seconds * 20}); do sleep 0.05; done`;
}

export const STUBBORN: string = stubbornFor(30);

/** Ends well at USR1; bash has nothing to say of the sleep that the signal ends. */
export const UNTIL_TOLD = `exec 2>/dev/null; trap 'exit 0' USR1; say_ready; for n in $(seq 600); do sleep 0.05; done`;

export async function openPlace(): Promise<Place> {
  const inside = new Set<Socket>();
  let [most, entered] = [0, 0];
  const server = createServer((socket) => {
    inside.add(socket);
    entered += 1;
    most = Math.max(most, inside.size);
    socket.on('error', () => {}).on('close', () => inside.delete(socket));
    socket.resume();
    socket.write('entered\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    command: (script) => [
      'bash',
      '-c',
      `exec 3<>/dev/tcp/127.0.0.1/${port}; read -r _ <&3; say_ready() { echo "ready $$"; }; ${
        // A script that traps signals says it once it does.
        script.includes('say_ready') ? script : `say_ready; ${script}`
      }`,
    ],
    get now() {
      return inside.size;
    },
    get most() {
      return most;
    },
    get entered() {
      return entered;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of inside) socket.destroy();
      server.close();
    },
  };
}
