/**
 * Nodes of n8n with everything left out, since n8n doesn't store what is as usual: what each does then, by its type and
 * version. Known from n8n's own descriptions of its nodes.
 */
import { type Drawn, HOURLY } from '../n8n/build.ts';
import { MAIL } from '../n8n/parts.ts';
import { type Known, n8n, type Sample } from './corpus.ts';

/** It adds or sends something, so that a second run at the same time does it twice. */
const ACTING = `postgres 2.6, postgres 1, mySql 2.5, mySql 1, microsoftSql 1.1, snowflake 1, questDb 1, crateDb 1, timescaleDb 1,
  supabase 1, dataTable 1, notion 2.2, notion 1, coda 1.1, seaTable 2, googleDocs 2, googleDrive 3, box 1,
  hubspot 1, salesforce 1, pipedrive 2, zohoCrm 1, shopify 1, wooCommerce 1, xero 1, odoo 1, erpNext 1, intercom 1,
  zendesk 1, freshdesk 1, helpScout 1, copper 1, mailchimp 1, activeCampaign 1, wordpress 1,
  jira 1, trello 1, asana 1, clickUp 1, mondayCom 1, todoist 2.1, linear 1.1, github 1.1, gitlab 1,
  googleCalendar 1.3, googleTasks 1, googleContacts 1,
  gmail 2.1, gmail 1, slack 2.3, slack 1, telegram 1.2, discord 2, discord 1, emailSend 2.1, emailSend 1, microsoftTeams 2,
  microsoftOutlook 2, twitter 2, linkedIn 1, twilio 1, whatsApp 1.1, sendGrid 1, mailjet 1, mailgun 1, mattermost 1,
  rocketchat 1, matrix 1, pushover 1, googleChat 1, kafka 1, mqtt 1`;

/** It brings a list of records. */
const LISTING = 'googleSheets 4.5, googleSheets 3, googleSheets 2, baserow 1, mongoDb 1.2, grist 1';

/** It brings one thing, or is known to change nothing: a run that has it twice does no harm. */
const LOOKING = `airtable 2.1, nocoDb 3, redis 1, stripe 1, quickbooks 1, elasticsearch 1, strapi 1, ghost 1, webflow 2,
  awsS3 2, s3 1, ftp 1, readWriteFile 1`;

/** A repeat leaves things as they are. */
const SETTLED = 'hubspot 2.2, awsDynamoDb 1';

/** A computation that is paid for and changes nothing. */
const PAID = `openAi 1.1, deepL 1, googleTranslate 2, @n8n/n8n-nodes-langchain.openAi 1.8, @n8n/n8n-nodes-langchain.chainLlm 1.5,
  @n8n/n8n-nodes-langchain.informationExtractor 1, @n8n/n8n-nodes-langchain.textClassifier 1`;

/** They may do anything. */
const OPEN = 'executeCommand 1, ssh 1, n8n-nodes-somebody.thing 1, awsLambda 1';

/** What only passes items on. */
const PASSING = `set 3.4, if 2.2, switch 3.2, filter 2.2, merge 3, noOp 1, splitOut 1, aggregate 1, limit 1, sort 1, summarize 1,
  dateTime 2, crypto 1, html 1.2, xml 1, markdown 1, convertToFile 1.1, extractFromFile 1, renameKeys 1, itemLists 3.1,
  removeDuplicates 2, compareDatasets 2.3, wait 1.1, respondToWebhook 1.1, stopAndError 1`;

function nodesOf(list: string): readonly (readonly [name: string, node: Drawn])[] {
  return list.split(',').map((each) => {
    const [type = '', version = '1'] = each.trim().split(' ');
    return [
      `${type
        .slice(type.lastIndexOf('/') + 1)
        .replaceAll('.', '-')
        .toLowerCase()}-${version}`,
      { type, typeVersion: Number(version) },
    ];
  });
}

const alone = (kind: string, list: string, known: Known): readonly Sample[] =>
  nodesOf(list).map(([name, node]) =>
    n8n(`${kind}-${name}`, { nodes: { Clock: HOURLY, Thing: node }, flow: 'Clock > Thing' }, known),
  );

const beforeMail = (kind: string, list: string, known: Known): readonly Sample[] =>
  nodesOf(list).map(([name, node]) =>
    n8n(`${kind}-${name}`, { nodes: { Clock: HOURLY, Thing: node, Mail: MAIL }, flow: 'Clock > Thing > Mail' }, known),
  );

export const DEFAULTS: readonly Sample[] = [
  ...alone('acts', ACTING, {
    finds: ['guard.missing info'],
    paths: [],
    says: { 'guard.missing': /"Thing" \(.*\) is reached without a guard/ },
  }),
  ...alone('settled', SETTLED, { finds: [], paths: [] }),
  ...alone('paid', PAID, { finds: [], paths: [] }),
  ...alone('open', OPEN, {
    finds: ['guard.missing info'],
    paths: [],
    says: { 'guard.missing': /It can't be told what "Thing" does/ },
  }),
  ...alone('passes', PASSING, { finds: [], paths: [] }),
  ...beforeMail('lists', LISTING, {
    finds: ['window.no-status-write warning', 'guard.missing warning'],
    may: ['read.unbounded'],
    paths: [['Thing', null, null, true]],
  }),
  ...beforeMail('looks-up', LOOKING, { finds: ['guard.missing info'], paths: [] }),
];
