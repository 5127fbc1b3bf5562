import { FileWork } from '#files/file-work'
import { serve } from '../../worker/serve'

serve(new FileWork())
