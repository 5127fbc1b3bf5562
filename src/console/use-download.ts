import { useMutation } from '@tanstack/react-query'
import type { GivenFile } from '#files/fix/errors-file'
import { saveFile } from './save-file'

/** Makes a file and gives it to the person. */
export const useDownload = () =>
  useMutation({ mutationFn: (make: () => Promise<GivenFile>) => make(), onSuccess: saveFile })
