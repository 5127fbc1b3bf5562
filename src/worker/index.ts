import { createApp } from './app'
import type { Env } from './env'
import { runScheduled } from './scheduled'

export { ReplayGuard } from '#worker/auth/partner/replay-guard'

const app = createApp()

export default {
  fetch: app.fetch,
  scheduled: (controller, env) => runScheduled(env, new Date(controller.scheduledTime)),
} satisfies ExportedHandler<Env>
