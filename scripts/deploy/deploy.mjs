/**
 * `npm run deploy`: refuses what cannot be right, applies the migrations of every database, deploys the Worker, all of
 * the same environment, and checks the service.
 */
import { command, runMain, withEnvironment } from '../script.mjs'
import { readJson } from '../secrets.mjs'
import { operatorToken, searchVariables, workspaceFile } from './setup/secrets.mjs'
import { deploy } from './steps.mjs'

/** To check the service with: what `npm run setup` has kept here, or else variables, which can be of another service. */
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
