import { documentSchema } from '#worker/documents/schemas'
import { callService, type Fetch } from './service'

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

/** The metadata in an answer. @throws unless it is a success */
export async function documentOf(response: Response) {
  if (response.status !== 200) throw new Error(`document: ${response.status} ${await response.text()}`)
  const { data } = await response.json<{ data: unknown }>()
  return documentSchema.parse(data)
}
