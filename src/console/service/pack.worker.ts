import { gzip } from '#client/transport'
import { serve } from '../worker/serve'

serve({ gzip })
