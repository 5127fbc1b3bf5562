import { serve } from '../../worker/serve'
import { FileWork } from './file-work'

serve(new FileWork())
