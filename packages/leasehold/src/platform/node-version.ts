/** The version of the Node.js that runs this, without a leading `v`. */
export function nodeVersion(): string {
  return process.versions.node;
}
