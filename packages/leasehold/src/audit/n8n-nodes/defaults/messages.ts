import type { NodeDefaults } from './default.ts';

/**
 * Mail, chat, posts and queues: what n8n takes where a workflow leaves resource or operation out. Facts read off the
 * node descriptions of n8n-nodes-base 2.41.2.
 */
export const MESSAGES: NodeDefaults = {
  gmail: [
    {
      from: 2,
      resource: 'message',
      operation: { draft: 'create', label: 'getAll', message: 'send', thread: 'getAll' },
    },
    {
      from: 1,
      resource: 'draft',
      operation: { draft: 'create', label: 'create', message: 'send', messageLabel: 'add' },
    },
  ],
  slack: [
    {
      from: 2,
      resource: 'message',
      operation: {
        channel: 'create',
        message: 'post',
        star: 'add',
        file: 'upload',
        reaction: 'add',
        user: 'info',
        userGroup: 'create',
      },
    },
    {
      from: 1,
      resource: 'message',
      operation: {
        channel: 'create',
        message: 'post',
        star: 'add',
        file: 'upload',
        reaction: 'add',
        user: 'info',
        userGroup: 'create',
        userProfile: 'get',
      },
    },
  ],
  telegram: [
    {
      from: 1,
      resource: 'message',
      operation: { chat: 'get', callback: 'answerQuery', file: 'get', message: 'sendMessage' },
    },
  ],
  discord: [
    {
      from: 2,
      resource: 'channel',
      operation: { message: 'send', channel: 'create', member: 'getAll', '': 'sendLegacy' },
    },
    { from: 1 },
  ],
  emailSend: [{ from: 2, resource: 'email', operation: 'send' }, { from: 1 }],
  microsoftTeams: [
    {
      from: 2,
      resource: 'channel',
      operation: {
        channel: 'create',
        channelMessage: 'create',
        chat: 'create',
        chatMember: 'getAll',
        chatMessage: 'create',
        onlineMeeting: 'create',
        task: 'create',
      },
    },
    { from: 1, resource: 'channel', operation: 'create' },
  ],
  microsoftOutlook: [
    {
      from: 2,
      resource: 'message',
      operation: {
        calendar: 'getAll',
        contact: 'getAll',
        draft: 'create',
        event: 'getAll',
        folder: 'create',
        folderMessage: 'getAll',
        message: 'send',
        messageAttachment: 'add',
      },
    },
    {
      from: 1,
      resource: 'message',
      operation: {
        draft: 'create',
        message: 'send',
        messageAttachment: 'add',
        folder: 'create',
        folderMessage: 'getAll',
      },
    },
  ],
  twitter: [
    {
      from: 2,
      resource: 'tweet',
      operation: { directMessage: 'create', list: 'add', tweet: 'create', user: 'searchUser' },
    },
    { from: 1, resource: 'tweet', operation: 'create' },
  ],
  linkedIn: [{ from: 1, resource: 'post', operation: 'create' }],
  twilio: [{ from: 1, resource: 'sms', operation: { sms: 'send', call: 'make' } }],
  whatsApp: [{ from: 1, resource: 'message', operation: { message: 'sendTemplate', media: 'mediaUpload' } }],
  sendGrid: [{ from: 1, resource: 'list', operation: { list: 'create', contact: 'upsert', mail: 'send' } }],
  mailjet: [{ from: 1, resource: 'email', operation: 'send' }],
  mandrill: [{ from: 1, resource: 'message', operation: 'sendTemplate' }],
  awsSes: [
    { from: 1, resource: 'email', operation: { customVerificationEmail: 'create', email: 'send', template: 'create' } },
  ],
  awsSns: [{ from: 1, operation: 'publish' }],
  awsSqs: [{ from: 1, operation: 'sendMessage' }],
  mattermost: [
    { from: 1, resource: 'message', operation: { channel: 'create', message: 'post', reaction: 'create', user: '' } },
  ],
  pushover: [{ from: 1, resource: 'message', operation: 'push' }],
  matrix: [
    {
      from: 1,
      resource: 'message',
      operation: {
        account: 'me',
        event: 'get',
        media: 'upload',
        message: 'create',
        room: 'create',
        roomMember: 'getAll',
      },
    },
  ],
  rocketchat: [{ from: 1, resource: 'chat', operation: { chat: 'postMessage', subscriptions: 'get', dm: 'messages' } }],
  messageBird: [{ from: 1, resource: 'sms', operation: { sms: 'send', balance: 'get' } }],
  vonage: [{ from: 1, resource: 'sms', operation: 'send' }],
  plivo: [{ from: 1, resource: 'sms', operation: { sms: 'send', mms: 'send', call: 'make' } }],
  line: [{ from: 1, resource: 'notification', operation: 'send' }],
  gotify: [{ from: 1, resource: 'message', operation: 'create' }],
  rabbitmq: [{ from: 1, operation: 'sendMessage' }],
  reddit: [
    {
      from: 1,
      resource: 'post',
      operation: { postComment: 'create', profile: 'get', subreddit: 'get', post: 'create', user: 'get' },
    },
  ],
  youTube: [
    {
      from: 1,
      resource: 'channel',
      operation: {
        channel: 'getAll',
        playlist: 'getAll',
        playlistItem: 'add',
        video: 'getAll',
        videoCategory: 'getAll',
      },
    },
  ],
  mailchimp: [
    {
      from: 1,
      resource: 'member',
      operation: { member: 'create', memberTag: 'create', listGroup: 'getAll', campaign: 'getAll' },
    },
  ],
  activeCampaign: [
    {
      from: 1,
      resource: 'contact',
      operation: {
        account: 'create',
        contact: 'create',
        accountContact: 'create',
        contactList: 'add',
        contactTag: 'add',
        list: 'getAll',
        tag: 'create',
        deal: 'create',
        connection: 'create',
        ecommerceOrder: 'create',
        ecommerceCustomer: 'create',
        ecommerceOrderProducts: 'getAll',
      },
    },
  ],
  mautic: [
    {
      from: 1,
      resource: 'contact',
      operation: {
        company: 'create',
        contact: 'create',
        contactSegment: 'add',
        campaignContact: 'add',
        companyContact: 'add',
        segmentEmail: 'send',
      },
    },
  ],
  convertKit: [
    {
      from: 1,
      resource: 'form',
      operation: {
        customField: 'update',
        form: 'addSubscriber',
        sequence: 'addSubscriber',
        tag: 'create',
        tagSubscriber: 'create',
      },
    },
  ],
  getResponse: [{ from: 1, resource: 'contact', operation: 'get' }],
  sendInBlue: [
    {
      from: 1,
      resource: 'email',
      operation: { attribute: 'create', sender: 'create', contact: 'create', email: 'send' },
    },
  ],
};
