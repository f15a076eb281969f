import type { NodeDefaults } from './default.ts';

/**
 * CRM, money and support: what n8n takes where a workflow leaves resource or operation out. Facts read off the
 * node descriptions of n8n-nodes-base 2.41.2.
 */
export const BUSINESS: NodeDefaults = {
  hubspot: [
    {
      from: 2,
      resource: 'contact',
      operation: {
        contact: 'upsert',
        contactList: 'add',
        company: 'create',
        deal: 'create',
        engagement: 'create',
        ticket: 'create',
      },
    },
    {
      from: 1,
      resource: 'deal',
      operation: {
        contact: 'upsert',
        contactList: 'add',
        company: 'create',
        deal: 'create',
        engagement: 'create',
        form: 'getFields',
        ticket: 'create',
      },
    },
  ],
  salesforce: [
    {
      from: 1,
      resource: 'lead',
      operation: {
        lead: 'create',
        contact: 'create',
        customObject: 'create',
        document: 'upload',
        opportunity: 'create',
        account: 'create',
        search: 'query',
        case: 'create',
        task: 'create',
        attachment: 'create',
        user: 'get',
        flow: 'invoke',
      },
    },
  ],
  pipedrive: [
    {
      from: 2,
      resource: 'deal',
      operation: {
        activity: 'create',
        deal: 'create',
        dealProduct: 'add',
        file: 'create',
        lead: 'create',
        note: 'create',
        organization: 'create',
        person: 'create',
        product: 'create',
      },
    },
    {
      from: 1,
      resource: 'deal',
      operation: {
        activity: 'create',
        deal: 'create',
        dealActivity: 'getAll',
        dealProduct: 'add',
        file: 'create',
        lead: 'create',
        note: 'create',
        organization: 'create',
        person: 'create',
        product: 'getAll',
      },
    },
  ],
  zohoCrm: [{ from: 1, resource: 'account', operation: 'create' }],
  stripe: [
    {
      from: 1,
      resource: 'balance',
      operation: {
        balance: 'get',
        customerCard: 'get',
        charge: 'get',
        coupon: 'create',
        customer: 'get',
        meterEvent: 'create',
        source: 'get',
        token: 'create',
      },
    },
  ],
  shopify: [{ from: 1, resource: 'order', operation: 'create' }],
  wooCommerce: [{ from: 1, resource: 'product', operation: 'create' }],
  quickbooks: [
    {
      from: 1,
      resource: 'customer',
      operation: {
        bill: 'get',
        customer: 'get',
        employee: 'get',
        estimate: 'get',
        invoice: 'get',
        item: 'get',
        payment: 'get',
        purchase: 'get',
        transaction: 'getReport',
        vendor: 'get',
      },
    },
  ],
  xero: [{ from: 1, resource: 'invoice', operation: 'create' }],
  odoo: [
    { from: 2, resource: 'contact', operation: 'getAll' },
    { from: 1, resource: 'contact', operation: 'create' },
  ],
  erpNext: [{ from: 1, resource: 'document', operation: 'create' }],
  intercom: [{ from: 1, resource: 'user', operation: 'create' }],
  zendesk: [
    {
      from: 1,
      resource: 'ticket',
      operation: { ticket: 'create', ticketField: 'get', user: 'create', organization: 'create' },
    },
  ],
  freshdesk: [{ from: 1, resource: 'ticket', operation: 'create' }],
  helpScout: [
    {
      from: 1,
      resource: 'conversation',
      operation: { conversation: 'create', customer: 'create', mailbox: 'get', thread: 'create' },
    },
  ],
  serviceNow: [
    {
      from: 1,
      resource: 'user',
      operation: {
        attachment: 'upload',
        businessService: 'getAll',
        configurationItems: 'getAll',
        department: 'getAll',
        dictionary: 'getAll',
        incident: 'get',
        tableRecord: 'get',
        user: 'get',
        userGroup: 'getAll',
        userRole: 'getAll',
      },
    },
  ],
  copper: [
    {
      from: 1,
      resource: 'company',
      operation: {
        company: 'create',
        customerSource: 'getAll',
        lead: 'create',
        opportunity: 'create',
        person: 'create',
        project: 'create',
        task: 'create',
        user: 'getAll',
      },
    },
  ],
};
