// First step of every script: says in one line what to do where the Node.js found is too old.
// Must itself run on an old one.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (!(major >= 26 || (major === 24 && minor >= 15))) {
  process.stderr.write(
    `Leasehold's scripts need Node.js 24.15 or newer and found ${process.versions.node}; ` +
      'run "npm ci" first: it brings Node.js 24, which "npm run" then finds by itself.\n',
  );
  process.exit(78);
}
