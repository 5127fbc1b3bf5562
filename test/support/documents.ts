import { documentSchema } from '#worker/documents/schemas'
import { callService, dataFrom, type Fetch } from './service'

export const DOCS = '/mr/api/v2/docs'

/** A form with a file. */
export const fileForm = (content: string | Uint8Array, field = 'file', name = 'report.pdf'): FormData => {
  const form = new FormData()
  form.append(field, new File([content], name, { type: 'text/html' }))
  return form
}

/** Uploads a document. @param headers with the credential */
export const uploadTo = (
  headers: Record<string, string>,
  content: string | Uint8Array = 'text',
  call: Fetch = callService,
): Promise<Response> => call(DOCS, { method: 'POST', headers, body: fileForm(content) })

/** The metadata in an answer, which must be a success. */
export const documentOf = async (response: Response) => documentSchema.parse(await dataFrom(response))
