import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../http/context'
import type { Scope } from './caller'

/** Placeholder until the real one lands: see the auth task. */
export const authenticate = createMiddleware<AppEnv>(async (_c, next) => next())
export const requireScope = (_scope: Scope) => createMiddleware<AppEnv>(async (_c, next) => next())
