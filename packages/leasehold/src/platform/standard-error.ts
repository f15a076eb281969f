/** Writes to this process's stderr. Resolves with null when written, else with the error's code. */
export function writeStandardError(text: string): Promise<string | null> {
  return new Promise((resolve) => {
    process.stderr.write(text, (error) => {
      if (error === null || error === undefined) resolve(null);
      else resolve('code' in error ? String(error.code) : 'unknown error');
    });
  });
}
