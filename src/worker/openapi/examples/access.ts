import { answered, CREATED_AT, type Example, pageWith, sending } from './example'
import { webhookExamples } from './webhooks'

const EXAMPLE_SCOPES = 'catalog:read catalog:write search documents registration'

const TOKEN = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJkY3NfY2xpZW50X2V4YW1wbGUifQ.c2lnbmF0dXJl',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: EXAMPLE_SCOPES,
}

const EXAMPLE_WORKSPACES = [{ workspace_id: 'ws_example', name: 'City Clinic', role: 'editor' }]

const KEY_EXAMPLE = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  kid: 'current',
  alg: 'ES256',
  use: 'sig',
}

const ISSUER = 'https://catalog.example'

export const accessExamples: Readonly<Record<string, Example>> = {
  createAccessToken: {
    headers: { 'X-API-KEY': 'dcs_key_example' },
    ...sending({
      client_id: 'dcs_client_example',
      client_secret: 'dcs_secret_example',
      grant_type: 'client_credentials',
      scope: EXAMPLE_SCOPES,
    }),
    answer: { 'application/json': TOKEN },
  },
  exchangePartnerToken: {
    answer: {
      'application/json': { ...TOKEN, expires_in: 900, scope: 'catalog:read search documents registration' },
    },
  },
  getSigningKeys: { answer: { 'application/json': { keys: [KEY_EXAMPLE] } } },
  getAuthorizationServerMetadata: {
    answer: {
      'application/json': {
        issuer: ISSUER,
        token_endpoint: `${ISSUER}/api/v1/auth/token`,
        jwks_uri: `${ISSUER}/.well-known/jwks.json`,
        scopes_supported: EXAMPLE_SCOPES.split(' '),
        response_types_supported: [],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        service_documentation: `${ISSUER}/docs`,
      },
    },
  },
  beginLogin: { query: { return_to: '/console/' } },
  finishLogin: { query: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'af0ifjsldkj' } },
  allowLogin: {},
  exchangeLogin: {
    ...sending({ workspace_id: 'ws_example' }),
    answer: {
      'application/json': {
        ...TOKEN,
        workspace_id: 'ws_example',
        role: 'editor',
        email: 'nurse@clinic.example',
        workspaces: EXAMPLE_WORKSPACES,
      },
    },
  },
  listOwnWorkspaces: answered('Workspaces.', { email: 'nurse@clinic.example', items: EXAMPLE_WORKSPACES }),
  logOut: answered('Logged out.', { logged_out: true }),
}

const KEY_USE = {
  created_by: 'operator',
  created_at: CREATED_AT,
  last_used_at: '2026-11-20T18:00:00.000Z',
}

const revoked = (message: string): Pick<Example, 'answer'> => answered(message, { revoked: true })

/** Examples of the endpoints for keys and members, below either path. */
function administrationExamples(prefix: string, path: Record<string, string>) {
  const partner = {
    kid: 'dcs_partner_example',
    issuer: 'https://partner.example',
    audience: `${ISSUER}/partners`,
    allowed_origins: ['https://app.partner.example'],
  }
  const member = { email: 'nurse@clinic.example', role: 'editor' }
  const named: Record<string, Example> = {
    [`create${prefix}ApiKey`]: {
      ...sending({ client_id: 'dcs_client_example', scopes: ['catalog:read', 'search'], name: 'Reports' }),
      ...answered('API key created. It is not shown again.', {
        api_key_id: 'dcs_keyid_example',
        api_key: 'dcs_key_example',
        scopes: ['catalog:read', 'search'],
        name: 'Reports',
      }),
    },
    [`list${prefix}ApiKeys`]: answered(
      'API keys.',
      pageWith({
        api_key_id: 'dcs_keyid_example',
        client_id: 'dcs_client_example',
        client_name: 'Hospital information system',
        scopes: ['catalog:read', 'search'],
        name: 'Reports',
        ...KEY_USE,
      }),
    ),
    [`revoke${prefix}ApiKey`]: { path: { api_key_id: 'dcs_keyid_example' }, ...revoked('API key revoked.') },
    [`create${prefix}PartnerCredential`]: {
      ...sending({ issuer: partner.issuer, allowed_origins: partner.allowed_origins }),
      ...answered('Partner credential created. Its secret is not shown again.', {
        ...partner,
        secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
      }),
    },
    [`list${prefix}PartnerCredentials`]: answered('Partner credentials.', pageWith({ ...partner, ...KEY_USE })),
    [`revoke${prefix}PartnerCredential`]: {
      path: { kid: partner.kid },
      ...revoked('Partner credential revoked.'),
    },
    [`create${prefix}EncryptionKey`]: {
      ...sending({}),
      ...answered('Encryption key created. It is not shown again.', {
        kid: 'dcs_enc_example',
        key: 'q8Zr2LkT0vWcXy5B',
      }),
    },
    [`list${prefix}EncryptionKeys`]: answered('Encryption keys.', pageWith({ kid: 'dcs_enc_example', ...KEY_USE })),
    [`revoke${prefix}EncryptionKey`]: {
      path: { kid: 'dcs_enc_example' },
      ...revoked('Encryption key revoked.'),
    },
    [`add${prefix}Member`]: { ...sending(member), ...answered('Member added.', member) },
    [`list${prefix}Members`]: answered('Members.', pageWith({ ...member, created_at: CREATED_AT })),
    [`revoke${prefix}Member`]: { path: { email: member.email }, ...revoked('Member revoked.') },
  }
  return Object.fromEntries(
    Object.entries(named).map(([id, example]) => [id, { ...example, path: { ...path, ...example.path } }]),
  )
}

const EXAMPLE_SETTINGS = { confirm_deactivation_percent: 10 }

export const workspaceExamples = {
  ...administrationExamples('Workspace', {}),
  ...webhookExamples('Workspace', {}),
  listPrograms: answered('Programs.', {
    items: [{ client_id: 'dcs_client_example', name: 'Pharmacy system' }],
  }),
  readWorkspaceSettings: answered('Settings.', EXAMPLE_SETTINGS),
  changeWorkspaceSettings: {
    ...sending(EXAMPLE_SETTINGS),
    ...answered('Settings changed.', EXAMPLE_SETTINGS),
  },
}

const EXAMPLE_WORKSPACE = {
  workspace_id: 'ws_example',
  name: 'City Clinic',
  database: 'DB',
  created_at: CREATED_AT,
}

const WELL = { ok: true, problem: null, ms: 12 }

const EXAMPLE_QUOTA = {
  records: 500_000,
  bytes: 500_000_000,
  documents: 100_000,
  document_bytes: 10_000_000_000,
  registrations: 10_000,
  records_used: 44_328,
  bytes_used: 24_500_000,
  history_bytes_used: 3_100_000,
  documents_used: 812,
  document_bytes_used: 390_000_000,
  registrations_used: 3,
}

const OF_WORKSPACE = { path: { workspace_id: EXAMPLE_WORKSPACE.workspace_id } }

const EXAMPLE_CLIENT = { client_id: 'dcs_client_example', name: 'Hospital information system' }

export const operatorExamples: Readonly<Record<string, Example>> = {
  createWorkspace: {
    ...sending({ name: EXAMPLE_WORKSPACE.name }),
    ...answered('Workspace created.', EXAMPLE_WORKSPACE),
  },
  listWorkspaces: answered('Workspaces.', pageWith(EXAMPLE_WORKSPACE)),
  createClient: {
    ...sending({ name: EXAMPLE_CLIENT.name }),
    ...answered('Client created. Its secret is not shown again.', {
      client_id: EXAMPLE_CLIENT.client_id,
      client_secret: 'dcs_secret_example',
    }),
  },
  listClients: answered('Clients.', pageWith({ ...EXAMPLE_CLIENT, created_at: CREATED_AT })),
  revokeClient: { path: { client_id: EXAMPLE_CLIENT.client_id }, ...revoked('Client revoked.') },
  ...administrationExamples('', { workspace_id: 'ws_example' }),
  ...webhookExamples('', { workspace_id: 'ws_example' }),
  listLate: answered(
    'Late catalogs.',
    pageWith({
      workspace_id: EXAMPLE_WORKSPACE.workspace_id,
      name: EXAMPLE_WORKSPACE.name,
      type: 'medication',
      state: 'late',
      since: CREATED_AT,
      due_at: CREATED_AT,
      last_success_at: '2026-11-19T17:00:00.000Z',
      upload_id: null,
    }),
  ),
  checkHealth: answered('Every part is well.', {
    ok: true,
    release: '3.0.0',
    time: CREATED_AT,
    databases: [{ database: 'DB', ...WELL, size_bytes: 270_000_000, clock_ms: 1, last_run: CREATED_AT }],
    scheduled_run: { ...WELL, ms: 0 },
    bucket: WELL,
    replay_filter: WELL,
    replay_guard: WELL,
    master_key: WELL,
    login_provider: null,
  }),
  listDatabases: answered('Databases.', {
    items: [{ database: 'DB', workspaces: 12, records: 480_000, size_bytes: 270_000_000, open: true }],
  }),
  moveWorkspace: {
    ...OF_WORKSPACE,
    ...sending({ database: 'DB_2' }),
    ...answered('Moved.', { state: 'done' }),
  },
  setQuota: { ...OF_WORKSPACE, ...sending({ records: 600_000 }), ...answered('Quota set.', EXAMPLE_QUOTA) },
  getQuota: { ...OF_WORKSPACE, ...answered('Quota.', EXAMPLE_QUOTA) },
  reseal: answered('2 secrets sealed again, 0 remaining.', { resealed: 2, remaining: 0 }),
}
