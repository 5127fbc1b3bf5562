import * as z from 'zod'
import { returnedForm, storedForm } from '#shared/records/stored-form'
import { medication } from '#shared/records/types/medication'

/** Examples are made from the schemas. Tests check each, and send those of requests to the service. */

const TIME = '2026-11-20T18:00:00.000Z'

const MEDICATION = {
  medication_id: 'MED-1001',
  name: 'Metformin hydrochloride 500 mg',
  display_name: 'Metformin 500',
  aliases: ['Glucophage'],
  strength: '500 mg',
  generic_name: 'Metformin',
  generic_list: ['METFORMIN HYDROCHLORIDE'],
  form_name: 'Tablet',
  manufacturer: 'Example Pharma',
  otc: false,
}

const BY_ID: Readonly<Record<string, unknown>> = {
  MedicationRecord: MEDICATION,
  Medication: returnedForm(medication, {
    record_id: MEDICATION.medication_id,
    is_active: 1,
    written_at: Date.parse(TIME),
    data: storedForm(medication, MEDICATION),
  }),
}

const BY_NAME: Readonly<Record<string, unknown>> = {
  // Access.
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJkY3NfY2xpZW50X2V4YW1wbGUifQ.c2lnbmF0dXJl',
  allowed_origins: ['https://app.partner.example'],
  api_key: 'dcs_key_example',
  api_key_id: 'dcs_keyid_example',
  audience: 'https://catalog.example/partners',
  client_id: 'dcs_client_example',
  client_name: 'Hospital information system',
  client_secret: 'dcs_secret_example',
  created_by: 'dcs_client_example',
  email: 'nurse@clinic.example',
  expires_in: 3600,
  issuer: 'https://partner.example',
  key: 'q8Zr2LkT0vWcXy5B',
  kid: 'dcs_key_example',
  last_used_at: TIME,
  mobile_number: '+919876543210',
  scope: 'catalog:read catalog:write search documents registration',
  secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
  workspace_id: 'ws_example',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  // Catalogs and uploads.
  active_before: 0,
  batch_id: '4d7f2c4e-6d0b-4d0e-9a52-1f7f0f6f3a11',
  by_program: true,
  changed_by: 'dcs_client_example',
  code: 'too_long',
  deactivated: 0,
  entity_id: MEDICATION.medication_id,
  epoch: '4d7f2c4e-6d0b-4d0e-9a52-1f7f0f6f3a11',
  error_count: 0,
  errors: [],
  field: 'colour',
  fields: { strength: ['250 mg', '500 mg'] },
  file_name: 'medications.csv',
  form_id: 'tablet',
  format: 'csv',
  id: MEDICATION.medication_id,
  msg: 'unknown column, ignored',
  name: 'City Clinic',
  oldest_restorable_revision: 0,
  q: 'metf',
  text: 'htn',
  reactivated: 0,
  repeated: 0,
  request_id: 'nightly-2026-11-20',
  revision: 1,
  search_enabled: true,
  set_by: 'dcs_client_example',
  size_bytes: 48_213,
  synonyms: ['Tab', 'Tabs', 'Tablets'],
  type: 'medication',
  unchanged: 0,
  updated: 0,
  updated_at: TIME,
  upload_id: '6b1f1c55-58a4-4f6c-9a3a-0d0f1f2a7c21',
  // Documents and webhooks.
  document_id: '0b8f3f0e-7f0d-4c5e-8f43-3b0a2f1f9a77',
  document_type: 'lab_report',
  event: 'catalog.changed',
  last_attempt_at: TIME,
  last_status: 204,
  message_id: 'msg_example',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  status: 204,
  tasks: ['pii'],
  url: 'https://hooks.clinic.example/catalog',
  webhook_id: 'dcs_webhook_example',
  // Operation.
  approximate: 0,
  asset: 'init.js',
  bytes: 500_000_000,
  database: 'DB',
  documents: 100_000,
  document_bytes: 10_000_000_000,
  digest: 'sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:',
  enabled: true,
  every_hours: 24,
  file: 'latest.tgz',
  integrity: 'sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb',
  last_run: TIME,
  limit: 100,
  message: 'A sentence for users.',
  offset: 0,
  ok: true,
  open: true,
  path: '/client/dataset-catalog-1.0.0.tgz',
  records: 500_000,
  registrations: 10_000,
  release: '1.0.0',
  remaining: 0,
  response_types_supported: [],
  version: '1.0.0',
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  base64url: 'AAECAwQFBgcICQoLDA0ODw',
  datetime: TIME,
  url: 'https://catalog.example',
  uuid: '5f0c7b0a-3a0b-4f9e-9a54-0d9b6f1c2e33',
}

type Schema = z.core.$ZodType

export const isOptional = (schema: Schema): boolean => schema._zod.optin !== undefined

/** For a member whose name has no example: a simple value of its type. @throws Error for a text */
function simpleExample(schema: Schema, name: string): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'array':
      return [exampleOf(def.element)]
    case 'nullable':
      return (def.innerType as z.core.$ZodTypes)._zod.def.type === 'object' ? exampleOf(def.innerType) : null
    case 'number':
      return 1
    case 'boolean':
      return false
    case 'string': {
      const example = 'format' in def ? BY_FORMAT[String(def.format)] : undefined
      if (example === undefined) throw new Error(`src/worker/openapi/example.ts has no example for ${name}`)
      return example
    }
    default:
      return undefined
  }
}

/**
 * An example of a schema: its own, else by its id or name, else a simple value of its type. What may be left out is,
 * and scalars that may be null are.
 *
 * @throws Error for a text without an example
 */
export function exampleOf(schema: Schema, name = ''): unknown {
  const { example, id = '' } = z.globalRegistry.get(schema) ?? {}
  if (example !== undefined) return example
  if (Object.hasOwn(BY_ID, id)) return BY_ID[id]
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      const members = Object.entries(def.shape).filter(([, member]) => !isOptional(member))
      return Object.fromEntries(members.map(([key, member]) => [key, exampleOf(member, key)]))
    }
    case 'union': {
      const [first] = def.options
      return first && exampleOf(first, name)
    }
    case 'enum':
      return Object.values(def.entries)[0]
    case 'literal':
      return def.values[0]
    default:
      return Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : simpleExample(schema, name)
  }
}
