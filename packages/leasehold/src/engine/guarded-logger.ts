import type { Logger } from '../ports/logger.ts';

/**
 * A logger whose own failures go nowhere. The engine logs from timers, where a throw would end the
 * process or stop the heartbeat that keeps a lease alive; a broken logger must do neither.
 */
export function guardedLogger(logger: Logger): Logger {
  const guard =
    (level: keyof Logger): Logger['info'] =>
    (message, fields) => {
      try {
        logger[level](message, fields);
      } catch {
        // There is nowhere left to say it.
      }
    };
  return { debug: guard('debug'), info: guard('info'), warn: guard('warn'), error: guard('error') };
}
