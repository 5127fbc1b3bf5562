import { expose } from 'comlink'
import { gzip } from '#client/request'

expose({ gzip })
