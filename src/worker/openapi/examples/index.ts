import { version } from '../../../../package.json'
import { accessExamples, operatorExamples, workspaceExamples } from './access'
import { catalogExamples } from './catalog'
import { answered, CREATED_AT, type Example, sending } from './example'
import { historyExamples } from './history'
import { uploadExamples } from './uploads'

const DOCUMENT_ID = '0b8f3f0e-7f0d-4c5e-8f43-3b0a2f1f9a77'

const DOCUMENT = {
  document_id: DOCUMENT_ID,
  size_bytes: 48_213,
  content_type: 'application/pdf',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  tasks: ['pii'],
  document_type: 'lab_report',
  created_at: CREATED_AT,
}

const otherExamples: Readonly<Record<string, Example>> = {
  uploadDocument: {
    query: { task: 'pii', dt: 'lab_report' },
    body: { 'multipart/form-data': { file: '%PDF-1.7' } },
    ...answered('Document stored', DOCUMENT),
  },
  getDocument: { path: { document_id: DOCUMENT_ID }, ...answered('Document found', DOCUMENT) },
  getDocumentContent: { path: { document_id: DOCUMENT_ID } },
  deleteDocument: { path: { document_id: DOCUMENT_ID }, ...answered('Document deleted', { deleted: true }) },
  initiateRegistration: {
    ...sending({ mobile_number: '+919876543210', name: 'Asha Rao' }),
    ...answered('Registration initiated', {
      registration_id: '5f0c7b0a-3a0b-4f9e-9a54-0d9b6f1c2e33',
      status: 'initiated',
      expires_at: CREATED_AT,
    }),
  },
  getClientPackage: {
    answer: {
      'application/json': {
        version,
        path: `/client/dataset-catalog-${version}.tgz`,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        digest: 'sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:',
      },
    },
  },
  downloadClientPackage: { path: { file: 'latest.tgz' } },
  getHealth: { answer: { 'application/json': { success: true, message: 'ok', version } } },
  getDescription: { answer: { 'application/json': { openapi: '3.1.0' } } },
  getDescriptionPage: {},
  getDescriptionPageFile: { path: { file: 'init.js' } },
  listElementVersions: {
    answer: {
      'application/json': {
        versions: [
          {
            version: '1.0.0',
            path: '/embed/1.0.0/catalog-search.js',
            integrity: 'sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb',
          },
        ],
      },
    },
  },
  getElement: { path: { version: 'v1' } },
}

/** An example for each operation, by its id. */
export const examples: Readonly<Record<string, Example>> = {
  ...catalogExamples,
  ...historyExamples,
  ...uploadExamples,
  ...accessExamples,
  ...workspaceExamples,
  ...operatorExamples,
  ...otherExamples,
}
