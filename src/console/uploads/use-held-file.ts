import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Change } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import { catalogChanged, PREVIEW } from '../catalog-changed'
import { usePreviewedWrite } from '../changes/use-previewed-write'
import { fullList, type Preview } from '../service/answers'
import { useSession } from '../session'
import { WRITE_HELD } from '../upload/process/held-file'

const UPLOAD = '/admin/catalogs/v1/{type}/uploads/{upload_id}'

/** A file that waits: what it would change now, and the two decisions. */
export function useHeldFile(type: RecordType, uploadId: string) {
  const { client } = useSession()
  const queries = useQueryClient()
  const params = { type: type.name, upload_id: uploadId }
  const approval = usePreviewedWrite({
    type,
    queryKey: [PREVIEW, type.name, uploadId],
    send: (query, signal) => client.post(WRITE_HELD, { params, query, signal }),
  })
  const discard = useMutation({
    mutationFn: () => client.delete(UPLOAD, { params }),
    onSuccess: () => {
      // The page of the upload does not wait for the others.
      void catalogChanged(queries, type)
    },
  })

  /** The full list of one kind of change, as CSV. @throws ServiceError, also when the catalog has moved on */
  const listOf = async (check: Preview, change: Change | undefined): Promise<Blob> =>
    (await client.file('post', WRITE_HELD, { params, query: fullList(check, change) })).blob()

  return { ...approval, discard, listOf }
}
