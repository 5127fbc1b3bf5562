import { expose } from 'comlink'
import { gzip } from '#client/transport'

expose({ gzip })
