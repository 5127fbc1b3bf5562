/**
 * `npm run deploy`: stops if the configuration cannot be right, applies the migrations of every database, deploys the
 * Worker, all in the same environment, and checks the service.
 */
import { command, runMain, withEnvironment } from '../script.mjs'
import { readJson } from '../secrets.mjs'
import { operatorToken, searchVariables, workspaceFile } from './setup/secrets.mjs'
import { deploy } from './steps.mjs'

/**
 * Credentials to check the service with: those that `npm run setup` has stored here, or else variables, which may
 * belong to another service.
 */
async function credentialsOf(name) {
  const workspace = await readJson(workspaceFile(name))
  return { ...process.env, PLATFORM_ADMIN_TOKEN: operatorToken(name), ...(workspace && searchVariables(workspace)) }
}

await runMain(
  withEnvironment(command('deploy', 'Applies the migrations, deploys the Worker and checks the service.'))
    .option(
      '--change <names...>',
      'bindings or variables that others rely on (a database, ISSUER) and that are to be changed',
    )
    .action(async ({ env: name, change: changes }) =>
      deploy({ name, changes, credentials: await credentialsOf(name) }),
    ),
)
