import { FileWork } from '#import/file-work'
import { serve } from '../../worker/serve'

serve(new FileWork())
