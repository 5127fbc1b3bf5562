import * as z from 'zod'
import type { RawRecord } from '#shared/records/record-type'
import { anyInput } from '#shared/records/schema'
import type { FileInput, RequestBody } from '#worker/http/body/request-body'

export const csvContent = z.string().meta({ description: 'A CSV file.' })

type SentRecords = readonly RawRecord[]

/**
 * The body of a write: records as JSON, or a CSV file by itself or in a form. The handler reads it (`receiveUpload`),
 * because what is wrong with it is noted too.
 */
export const uploadBody: RequestBody<
  undefined,
  SentRecords | { records: SentRecords } | { items: SentRecords } | FileInput
> = {
  content: {
    'application/json': z.union([
      z.array(anyInput),
      z.object({ records: z.array(anyInput) }),
      // A page as it was read.
      z.object({ items: z.array(anyInput) }),
    ]),
    'text/csv': csvContent,
    'application/csv': csvContent,
    'application/vnd.ms-excel': csvContent,
    'multipart/form-data': z.object({ file: z.string().meta({ contentMediaType: 'text/csv' }) }),
  },
  required: true,
  small: false,
  read: async () => undefined,
}
