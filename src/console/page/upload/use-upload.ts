import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { RecordType } from '../../../catalog/record-type'
import type { writeResult } from '../../../catalog/response-schemas'
import type { Upload as FileUpload } from '../service/client'
import { ServiceError } from '../service/service-error'
import { useSession } from '../session'
import { type ChosenFile, chooseSheet, readChosenFile } from './chosen-file'

export type WriteResult = z.output<typeof writeResult>
export type Mode = WriteResult['mode']
/** What a dry run answers. */
export type Check = WriteResult & { diff: NonNullable<WriteResult['diff']> }

/** Where an upload stands. `sent` is the share of the file that is on its way, 0 to 1. */
export type UploadState =
  | { is: 'empty' }
  | { is: 'reading'; name: string }
  | { is: 'unreadable'; name: string; error: Error }
  | { is: 'checking'; file: ChosenFile; sent: number }
  /** The service refuses the file, or could not look at it. */
  | { is: 'refused'; file: ChosenFile; error: Error }
  /** `moved`: the catalog was changed by somebody else since an earlier check. */
  | { is: 'checked'; file: ChosenFile; check: Check; moved: boolean }
  | { is: 'writing'; file: ChosenFile; check: Check; sent: number }
  /** Whether anything was written is not known; `error` says what is. */
  | { is: 'interrupted'; file: ChosenFile; error: Error }
  | { is: 'written'; file: ChosenFile; result: WriteResult }

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** A 409 that is not the shrink guard's: the catalog has another revision than the one that was checked. */
const isStale = (error: unknown): boolean =>
  error instanceof ServiceError && error.status === 409 && error.errors.length === 0

/** The way of a file into a catalog: it is read, checked by a dry run, and then written as it was checked. */
export function useUpload(type: RecordType) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [state, setState] = useState<UploadState>({ is: 'empty' })
  const [mode, setMode] = useState<Mode>('upsert')
  const running = useRef<AbortController>(undefined)

  /** Ends what is under way, and lets the next begin. */
  const begin = useCallback((): AbortSignal => {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }, [])
  useEffect(() => () => running.current?.abort(), [])

  const uploadOf = useCallback(
    (file: ChosenFile, query: FileUpload['query']): FileUpload => ({
      path: '/admin/datasets/v1/',
      query: { type: type.name, ...query },
      file: file.content,
      fileName: file.name,
    }),
    [type],
  )

  const check = useCallback(
    async (file: ChosenFile, as: Mode, moved = false) => {
      const signal = begin()
      const onProgress = (sent: number) => !signal.aborted && setState({ is: 'checking', file, sent })
      onProgress(0)
      try {
        const query = { mode: as, dry_run: true, include: 'diff' }
        const result = await client.upload<Check>({ ...uploadOf(file, query), onProgress, signal })
        setState({ is: 'checked', file, check: result, moved })
      } catch (error) {
        if (!isAbort(error)) setState({ is: 'refused', file, error: errorOf(error) })
      }
    },
    [begin, client, uploadOf],
  )

  const choose = useCallback(
    async (chosen: File) => {
      const signal = begin()
      setState({ is: 'reading', name: chosen.name })
      try {
        const file = await readChosenFile(chosen, type, signal)
        if (!signal.aborted) await check(file, mode)
      } catch (error) {
        if (!signal.aborted) setState({ is: 'unreadable', name: chosen.name, error: errorOf(error) })
      }
    },
    [begin, check, mode, type],
  )

  const changeSheet = useCallback(
    (file: ChosenFile, sheet: string) => {
      const { sheets } = file.workbook!
      try {
        void check(chooseSheet(file.name, sheets, sheet, type), mode)
      } catch (error) {
        setState({ is: 'unreadable', name: `${file.name}, sheet ${sheet}`, error: errorOf(error) })
      }
    },
    [check, mode, type],
  )

  const changeMode = useCallback(
    (next: Mode) => {
      setMode(next)
      if ('file' in state && state.is !== 'written') void check(state.file, next)
    },
    [check, state],
  )

  /** Writes what was checked, on the catalog as it was then. */
  const commit = useCallback(
    async (file: ChosenFile, checked: Check, confirmShrink: boolean) => {
      const signal = begin()
      const onProgress = (sent: number) => setState({ is: 'writing', file, check: checked, sent })
      onProgress(0)
      const query = {
        mode: checked.mode,
        expected_revision: checked.revision,
        confirm_shrink: confirmShrink || undefined,
      }
      try {
        const result = await client.upload<WriteResult>({ ...uploadOf(file, query), onProgress, signal })
        queries.clear()
        setState({ is: 'written', file, result })
      } catch (error) {
        if (isStale(error)) await check(file, checked.mode, true)
        else if (!isAbort(error)) setState({ is: 'interrupted', file, error: errorOf(error) })
      }
    },
    [begin, check, client, queries, uploadOf],
  )

  /** The full list of a kind of change, as CSV. */
  const listOf = useCallback(
    (file: ChosenFile, checked: Check, change: keyof Check['diff']): Promise<Blob> => {
      const query = { mode: checked.mode, dry_run: true, include: 'diff', format: 'csv', change }
      return client.uploadForFile(uploadOf(file, { ...query, expected_revision: checked.revision }))
    },
    [client, uploadOf],
  )

  const reset = useCallback(() => {
    begin()
    setState({ is: 'empty' })
  }, [begin])

  return { state, mode, choose, changeSheet, changeMode, check, commit, listOf, reset }
}

export type Upload = ReturnType<typeof useUpload>
