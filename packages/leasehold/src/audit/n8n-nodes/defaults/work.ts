import type { NodeDefaults } from './default.ts';

/**
 * Tasks, code and calendars: what n8n takes where a workflow leaves resource or operation out. Facts read off the
 * node descriptions of n8n-nodes-base 2.41.2.
 */
export const WORK: NodeDefaults = {
  jira: [
    {
      from: 1,
      resource: 'issue',
      operation: { issue: 'create', issueAttachment: 'add', issueComment: 'add', user: 'create' },
    },
  ],
  trello: [
    {
      from: 1,
      resource: 'card',
      operation: {
        attachment: 'getAll',
        board: 'create',
        boardMember: 'add',
        card: 'create',
        cardComment: 'create',
        checklist: 'getAll',
        label: 'getAll',
        list: 'create',
      },
    },
  ],
  asana: [
    {
      from: 1,
      resource: 'task',
      operation: {
        subtask: 'create',
        task: 'create',
        taskComment: 'add',
        taskProject: 'add',
        taskTag: 'add',
        user: 'get',
        project: 'get',
      },
    },
  ],
  clickUp: [
    {
      from: 1,
      resource: 'task',
      operation: {
        checklist: 'create',
        checklistItem: 'create',
        comment: 'create',
        folder: 'create',
        goal: 'create',
        goalKeyResult: 'create',
        taskTag: 'add',
        taskList: 'add',
        spaceTag: 'create',
        task: 'create',
        taskDependency: 'create',
        timeEntry: 'create',
        timeEntryTag: 'add',
        list: 'customFields',
      },
    },
  ],
  mondayCom: [{ from: 1, resource: 'board', operation: 'create' }],
  todoist: [
    { from: 2, resource: 'task', operation: 'create' },
    { from: 1, resource: 'task', operation: 'create' },
  ],
  linear: [{ from: 1, resource: 'issue', operation: { comment: 'addComment', issue: 'create' } }],
  github: [
    {
      from: 1,
      resource: 'issue',
      operation: {
        organization: 'getRepositories',
        pullRequest: 'create',
        issue: 'create',
        file: 'create',
        repository: 'getIssues',
        user: 'getRepositories',
        release: 'create',
        review: 'create',
        workflow: 'dispatch',
      },
    },
  ],
  gitlab: [
    {
      from: 1,
      resource: 'issue',
      operation: {
        issue: 'create',
        repository: 'getIssues',
        user: 'getRepositories',
        release: 'create',
        file: 'create',
      },
    },
  ],
  googleCalendar: [{ from: 1, resource: 'event', operation: { calendar: 'availability', event: 'create' } }],
  googleTasks: [{ from: 1, resource: 'task', operation: 'create' }],
  googleContacts: [{ from: 1, resource: 'contact', operation: 'create' }],
  microsoftToDo: [{ from: 1, resource: 'task', operation: 'get' }],
  lemlist: [
    {
      from: 2,
      resource: 'activity',
      operation: {
        activity: 'getAll',
        campaign: 'getAll',
        enrich: 'get',
        lead: 'create',
        team: 'get',
        unsubscribe: 'add',
      },
    },
    {
      from: 1,
      resource: 'activity',
      operation: { activity: 'getAll', campaign: 'getAll', lead: 'create', team: 'get', unsubscribe: 'add' },
    },
  ],
  n8n: [
    {
      from: 1,
      resource: 'workflow',
      operation: { audit: 'generate', credential: 'create', execution: 'getAll', workflow: 'getAll' },
    },
  ],
};
