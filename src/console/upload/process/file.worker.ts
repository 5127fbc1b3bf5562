import { expose } from 'comlink'
import { FileWork } from '#files/file-work'

expose(new FileWork())
