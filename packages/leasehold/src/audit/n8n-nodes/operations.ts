/**
 * What an operation does, by its name: n8n's nodes share a small vocabulary, and the exceptions stand below. Read off
 * the operations that the node descriptions of n8n-nodes-base 2.41.2 list.
 */
export type OperationClass = 'read-many' | 'read-one' | 'same' | 'again' | 'leaves' | 'cost' | 'unknown';

const BY_NAME: readonly (readonly [RegExp, OperationClass])[] = [
  [
    /^(?:getAll|getMany|list|search|select|find|readRows|query|lookup|keys|history|replies|getRows|aggregate)$/,
    'read-many',
  ],
  [
    /^(?:read|getRecently\w*|getAll(?:Rows|ViewRows|Replies)|getCards|getByColumnValue|messages|getChildren)$/,
    'read-many',
  ],
  [/^(?:searchUser|searchByDomain|get(?:Issues|PullRequests|UserIssues|ManyScheduled))$/, 'read-many'],
  [/^(?:findOneAnd\w+)$/, 'same'],
  [
    /^(?:get\w*|info|count|download|llen|pop|rowExists|rowNotExists|lookupByEmail|availability|me|members?)$/,
    'read-one',
  ],
  [/^(?:list\w+|changelog|customFields|metadata|collaborator|properties|statistics|users|administrators)$/, 'read-one'],
  [/^(?:completedCheckItems|mediaUrlGet|currentlyPlaying|recentlyPlayed|snapshot|enrich\w+)$/, 'read-one'],
  [/^(?:complete|moderate|generate|edit)$/, 'cost'],
  [
    /^(?:send\w*|post\w*|reply|publish|resend|replicate|make|notify|submit|invite|schedule|retweet|dispatch\w*)$/,
    'leaves',
  ],
  [/^(?:push|push(?:View)?Button|invoke|answer\w*Query|void)$/, 'leaves'],
  [/^(?:update\w*|upsert|appendOrUpdate|addUpdate|batchUpdate|change\w+Values?|set\w*|edit\w+|createOrGet)$/, 'same'],
  [/^(?:\w*[dD]elete\w*|remove\w*|batchDelete|clear|trash|untrash|drop\w+|void|unlink|un\w+|recover|restore)$/, 'same'],
  [/^(?:markAs\w+|archive|close|reopen|open|move|rename|lock|merge|link|transitions|rate|react|like|pin\w+)$/, 'same'],
  [
    /^(?:addLabels?|addTo\w+|role\w+|ban|kick|timeout|join|leave|enable|disable|activate|deactiv\w+|convert\w+)$/,
    'same',
  ],
  [/^(?:write|pause|resume|volume|start\w*|stop|nextSong|previousSong|undo\w+)$/, 'same'],
  [
    /^(?:create\w*|insert|append|add\w*|batchCreate|copy|duplicate|upload\w*|incr|share|quickAdd|mediaUpload)$/,
    'again',
  ],
];

/** `type.resource.operation`, or `type.operation`. */
const EXCEPTIONS: Readonly<Record<string, OperationClass>> = {
  'redis.push': 'again',
  'redis.set': 'same',
  'redis.get': 'read-one',
  'gmail.messageLabel.add': 'same',
  'slack.star.add': 'same',
  'slack.reaction.add': 'same',
  'slack.reaction.get': 'read-one',
  'mailchimp.memberTag.create': 'same',
  'hubspot.contactList.add': 'same',
  'asana.taskTag.add': 'same',
  'asana.taskProject.add': 'same',
  'clickUp.taskTag.add': 'same',
  'clickUp.taskList.add': 'same',
  'activeCampaign.contactTag.add': 'same',
  'activeCampaign.contactList.add': 'same',
  'mautic.contactSegment.add': 'same',
  'mautic.campaignContact.add': 'leaves',
  'mautic.companyContact.add': 'same',
  'trello.boardMember.add': 'same',
  'lemlist.lead.create': 'leaves',
  'lemlist.unsubscribe.add': 'same',
  'twitter.tweet.create': 'leaves',
  'twitter.directMessage.create': 'leaves',
  'twitter.list.add': 'same',
  'linkedIn.post.create': 'leaves',
  'reddit.post.create': 'leaves',
  'reddit.postComment.create': 'leaves',
  'gotify.message.create': 'leaves',
  'matrix.message.create': 'leaves',
  'matrix.message.getAll': 'read-many',
  'microsoftTeams.channelMessage.create': 'leaves',
  'microsoftTeams.chatMessage.create': 'leaves',
  'microsoftTeams.chatMember.add': 'same',
  'stripe.charge.create': 'leaves',
  'stripe.meterEvent.create': 'again',
  'mattermost.channel.addUser': 'same',
  'googleCalendar.calendar.availability': 'read-one',
  'github.file.edit': 'same',
  'github.issue.edit': 'same',
  'gitlab.file.edit': 'same',
  'gitlab.issue.edit': 'same',
  'github.issue.createComment': 'leaves',
  'gitlab.issue.createComment': 'leaves',
  'github.issue.create': 'leaves',
  'jira.issueComment.add': 'leaves',
  'zendesk.ticket.create': 'leaves',
  'freshdesk.ticket.create': 'leaves',
  'helpScout.conversation.create': 'leaves',
  'helpScout.thread.create': 'leaves',
  'shopify.order.create': 'leaves',
  'wooCommerce.order.create': 'leaves',
  'quickbooks.payment.create': 'leaves',
  'n8n.execution.getAll': 'read-many',
  'n8n.audit.generate': 'read-one',
  'openAi.image.create': 'cost',
  'bannerbear.image.create': 'cost',
  'openAi.text.edit': 'cost',
  'dataTable.row.get': 'read-many',
  'dataTable.table.list': 'read-one',
  'dropbox.search.query': 'read-many',
  'microsoftExcel.workbook.getAll': 'read-one',
  'microsoftExcel.worksheet.getAll': 'read-one',
  'microsoftExcel.worksheet.getContent': 'read-many',
  'airtable.base.getMany': 'read-one',
  'readWriteFile.read': 'read-one',
  'ssh.command.execute': 'unknown',
  'awsLambda.invoke': 'unknown',
  'salesforce.flow.invoke': 'unknown',
  'salesforce.search.query': 'read-many',
  'rocketchat.subscriptions.read': 'same',
  'sendGrid.contact.upsert': 'same',
  'gmail.label.getAll': 'read-one',
  'notion.user.getAll': 'read-one',
  'slack.user.getAll': 'read-one',
  'slack.channel.getAll': 'read-one',
};

export function classOf(type: string, resource: string | null, operation: string): OperationClass {
  const exact = `${type}.${resource}.${operation}`;
  const short = `${type}.${operation}`;
  if (Object.hasOwn(EXCEPTIONS, exact)) return EXCEPTIONS[exact] ?? 'unknown';
  if (Object.hasOwn(EXCEPTIONS, short)) return EXCEPTIONS[short] ?? 'unknown';
  return BY_NAME.find(([pattern]) => pattern.test(operation))?.[1] ?? 'unknown';
}
