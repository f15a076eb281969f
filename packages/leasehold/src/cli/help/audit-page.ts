import { example, type HelpPage } from './page.ts';

export const AUDIT_PAGE: HelpPage = {
  usage: 'audit [PATH…] [options]',
  about: [
    'Reads what you already have, histories of runs, definitions of workflows and crontabs, and says what ran twice, what will, and which change prevents it. It needs no store, and writes nothing but the file of --html.',
    'A path is a file or a folder; - is standard input, and so is no path with a pipe. What it is, is told by its content: a crontab, CSV, NDJSON or JSON with start and end or duration, executions and workflows of n8n, logs and blueprints of Make, runs and exports of Zapier. n8n:https://HOST asks a running n8n, sqlite:PATH and postgres://… its database, read-only.',
    'What can not be read is listed, and the rest is audited. Notes (info) are in --json and --html only.',
  ],
  exitCodes: [
    ['0', 'nothing was found that is as bad as --fail-on says'],
    ['1', 'something was'],
    ['64', 'the command line is wrong, or names nothing to audit'],
    ['70', 'a fault of Leasehold itself'],
    ['74', 'the report could not be written to stdout'],
    ['78', 'nothing at all could be read; n8n: without a key'],
  ],
  examples: [
    example('The crontab of this host', 'leasehold audit /etc/crontab'),
    example('Exports of any tool, with local times', 'leasehold audit ./exports --timezone Europe/Berlin'),
    example('A running n8n, as a page for a browser', 'leasehold audit n8n:https://n8n.example.com --html audit.html'),
    example(
      'Runs of a tool of your own, started every hour',
      'leasehold audit runs.csv --every 1h --map start=Begin,end=Finish',
    ),
    example(
      'In a pipeline: fail only where something did run twice',
      'leasehold audit ./exports --json --fail-on critical',
    ),
  ],
  environment: [['LEASEHOLD_N8N_KEY', 'an API key of n8n with the scopes workflow:list and execution:list']],
  files: [],
  seeAlso: ['docs/audit.md', 'leasehold help advise', 'leasehold help run'],
};
