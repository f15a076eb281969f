/** Mail, chat, telephone and posts: what goes to somebody can't be taken back, what changes a message can. */
import type { Drawn } from '../n8n/build.ts';
import { READ_ROWS, MARK_ROW } from '../n8n/parts.ts';
import type { Sample } from './corpus.ts';
import { marked, node } from './parts.ts';

/** They reach somebody. */
const OUT: readonly (readonly [name: string, node: Drawn])[] = [
  ['gmail-send-by-default', node('gmail', 2.1)],
  ['gmail-reply', node('gmail', 2.1, { operation: 'reply' })],
  ['gmail-send-and-wait', node('gmail', 2.1, { operation: 'sendAndWait' })],
  ['gmail-1-send', node('gmail', 1, { resource: 'message' })],
  ['outlook-send', node('microsoftOutlook', 2)],
  ['smtp-send', node('emailSend', 2.1)],
  ['smtp-send-of-version-1', node('emailSend', 1)],
  ['sendgrid-mail', node('sendGrid', 1, { resource: 'mail' })],
  ['mailjet-mail', node('mailjet', 1)],
  ['mailgun-mail', node('mailgun', 1)],
  ['slack-post-by-default', node('slack', 2.2)],
  ['slack-post', node('slack', 2.3, { resource: 'message', operation: 'post' })],
  ['telegram-by-default', node('telegram', 1.2)],
  ['telegram-photo', node('telegram', 1.2, { operation: 'sendPhoto' })],
  ['discord-message', node('discord', 2, { resource: 'message' })],
  ['discord-by-webhook', node('discord', 1)],
  ['teams-channel-message', node('microsoftTeams', 2, { resource: 'channelMessage' })],
  ['twilio-sms', node('twilio', 1)],
  ['twilio-call', node('twilio', 1, { resource: 'call' })],
  ['whatsapp-send', node('whatsApp', 1, { operation: 'send' })],
  ['whatsapp-template', node('whatsApp', 1)],
  ['twitter-by-default', node('twitter', 2)],
  ['linkedin-post', node('linkedIn', 1)],
  ['mattermost-post', node('mattermost', 1)],
  ['google-chat', node('googleChat', 1)],
  ['a-charge', node('stripe', 1, { resource: 'charge', operation: 'create' })],
  ['an-order', node('shopify', 1)],
  ['webex', node('ciscoWebex', 1)],
  ['zulip', node('zulip', 1)],
  ['pushbullet', node('pushbullet', 1)],
  ['a-page-at-night', node('pagerDuty', 1)],
  ['a-payout', node('payPal', 1)],
  ['a-queue', node('kafka', 1)],
];

/** They add something that could be taken out again. */
const ADDS: readonly (readonly [name: string, node: Drawn])[] = [
  ['a-draft', node('gmail', 2.1, { resource: 'draft' })],
  ['a-contact', node('hubspot', 2.1, { resource: 'ticket' })],
  ['a-calendar-entry', node('googleCalendar', 1.3)],
  ['a-task', node('todoist', 2.1)],
  ['a-page', node('notion', 2.2)],
  ['a-file', node('googleDrive', 3)],
  ['a-card', node('trello', 1)],
];

/** A repeat leaves things as they are, or asks. */
const KEYED: readonly (readonly [name: string, node: Drawn])[] = [
  ['slack-update', node('slack', 2.3, { resource: 'message', operation: 'update' })],
  ['slack-reaction', node('slack', 2.3, { resource: 'reaction' })],
  ['telegram-typing', node('telegram', 1.2, { operation: 'sendChatAction' })],
  ['gmail-label', node('gmail', 2.1, { operation: 'addLabels' })],
  ['a-contact-by-key', node('hubspot', 2.1)],
  ['a-chat-that-is-looked-up', node('telegram', 1.2, { resource: 'chat', operation: 'get' })],
  ['a-file-by-name', node('awsS3', 2, { operation: 'upload' })],
];

export const MESSENGERS: readonly Sample[] = [
  ...OUT.map(([name, mail]) => marked(`out-${name}`, [READ_ROWS, MARK_ROW, mail])),
  ...ADDS.map(([name, mail]) =>
    marked(`adds-${name}`, [READ_ROWS, MARK_ROW, mail], {
      finds: ['window.effect-before-mark warning', 'window.read-to-write warning', 'guard.missing warning'],
    }),
  ),
  ...KEYED.map(([name, mail]) =>
    marked(`keyed-${name}`, [READ_ROWS, MARK_ROW, mail], {
      finds: ['window.read-to-write warning'],
      paths: [['Read', 'Mark', 1, false]],
    }),
  ),
];
