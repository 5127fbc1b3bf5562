import { documentSchema } from '#worker/documents/schemas'
import { callService, dataFrom, type Fetch } from './service'

export const DOCS = '/mr/api/v2/docs'

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

export const documentOf = async (response: Response) => documentSchema.parse(await dataFrom(response))
