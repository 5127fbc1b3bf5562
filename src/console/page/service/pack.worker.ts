import { gzip } from '#client/transport'
import type { PackAnswer } from './pack'

async function answerTo(plain: Blob): Promise<PackAnswer> {
  try {
    return { packed: await gzip(plain) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

self.onmessage = async ({ data }: MessageEvent<Blob>) => self.postMessage(await answerTo(data))
