/**
 * `npm run setup`: from an empty account to a running service with its first workspace. It asks before it changes
 * anything. If it is interrupted, run it again to continue. docs/deploying.md explains each argument.
 */
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { accountId } from '../cloudflare/account.mjs'
import { documentsBucket, readConfiguration, version } from '../configuration.mjs'
import { openDeployedBucket } from '../files/bucket.ts'
import { setFree } from '../files/bucket-mark.ts'
import { welcomeText } from '../local/demo.mjs'
import { runMain, say } from '../script.mjs'
import { ensureSecrets, writeJson } from '../secrets.mjs'
import { ensureWorkspace } from '../workspace.mjs'
import { root } from '../wrangler.mjs'
import { checkSearch } from './service-check.mjs'
import { requireAnswers, requireEmail, setupCommand } from './setup/options.mjs'
import { planOf } from './setup/plan.mjs'
import { bind } from './setup/resources.mjs'
import {
  makeDirectory,
  operatorToken,
  readWorkspace,
  searchVariables,
  secretsFile,
  workspaceFile,
} from './setup/secrets.mjs'
import { changeSettings, setPlace } from './setup/settings.mjs'
import { deploy } from './steps.mjs'

/** Time limit for the DNS record and the certificate of a new domain, in milliseconds. */
const MAX_WAIT_MS = 15 * 60_000

/** A path relative to the repository, as users type it there. */
const relative = (file) => path.relative(process.cwd(), file)

const deployCommand = (name) => `npm run deploy${name === undefined ? '' : ` -- --env ${name}`}`

/** @param {import('./setup/plan.mjs').Plan} plan */
function showPlan(plan, { env: name, workspace }) {
  const { issuer, place, resources, worker, isDeployed, secrets } = plan
  const where = place.jurisdiction ?? place.location
  const inPlace = ({ table }) => (where !== undefined && table !== 'kv_namespaces' ? ` in ${where}` : '')
  const lines = resources.map(
    (each) => `  ${each.label}: ${each.exists ? 'is there, will be used' : `will be made${inPlace(each)}`}`,
  )
  const hasAllSecrets = Object.keys(secrets).length === 0
  say(`
Dataset Catalog Service ${version}, ${name ?? 'production'}

  address ${issuer}; if the host has a DNS record, that is replaced
${lines.join('\n')}
  secrets: ${hasAllSecrets ? 'those that the Worker has' : `in ${relative(secretsFile(name))}, new ones where missing`}
  migrations, then the Worker ${worker}${isDeployed ? ': a new version' : ''}
  workspace ${workspace} with its admin, a client and a key
`)
}

/** Asks on the terminal. Ctrl-C ends the process. @returns {Promise<string>} the email address of the first admin */
async function confirmPlan({ yes, admin }) {
  if (yes) return admin
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  terminal.once('SIGINT', () => process.exit(130))
  try {
    const email =
      admin ?? requireEmail((await terminal.question('Email address of the first admin of the workspace: ')).trim())
    if (/^y(es)?$/i.test((await terminal.question('Go on? (y/n) ')).trim())) return email
    throw new Error('Nothing was changed.')
  } finally {
    terminal.close()
  }
}

/** Creates the missing resources in parallel. After an interruption, they are found by name. */
async function prepareResources(name, resources) {
  const ids = await Promise.all(
    resources.map(async (resource) => {
      if (resource.exists) return resource.id
      const id = await resource.make()
      say(`Created the ${resource.label}.`)
      return id
    }),
  )
  await changeSettings(name, (settings) => {
    for (const [index, resource] of resources.entries()) bind(settings, resource, ids[index])
  })
}

/** @returns {Promise<string | undefined>} the file of secrets to send; undefined if the Worker has them all */
async function prepareSecrets(name, { secrets }) {
  if (Object.keys(secrets).length === 0) return undefined
  const file = secretsFile(name)
  makeDirectory(name)
  const { created } = await ensureSecrets(file)
  if (created.length > 0) {
    say(`Created the secrets, which only you can read: ${relative(file)}.`)
    say('Cloudflare never shows them: keep a copy in your vault.')
  }
  return file
}

/** Executes a plan. @returns {Promise<import('./setup/secrets.mjs').FirstWorkspace>} */
async function carryOut(plan, { env: name, workspace: id }, admin) {
  const { issuer, place, resources } = plan
  const account = await accountId()
  await changeSettings(name, (settings, all) => {
    all.account_id = account
    setPlace(settings, issuer, place)
  })
  await prepareResources(name, resources)
  if (plan.adopts) await setFree(openDeployedBucket(documentsBucket(readConfiguration(name))))
  await deploy({
    name,
    changes: plan.changes,
    secretsFile: await prepareSecrets(name, plan),
    credentials: { PLATFORM_ADMIN_TOKEN: operatorToken(name) },
    inSetup: true,
    patience: MAX_WAIT_MS,
  })
  makeDirectory(name)
  const service = { fetch, origin: issuer, operatorToken: operatorToken(name) }
  const credentials = { workspace_id: id, admin, ...(await readWorkspace(name, id)) }
  return ensureWorkspace(
    service,
    { id, name: id, members: [{ email: admin, role: 'admin' }] },
    { credentials, save: (workspace) => writeJson(workspaceFile(name), workspace) },
  )
}

/** Asks, and creates everything. */
async function setUp(options) {
  requireAnswers(options, process.stdin.isTTY)
  say('Looking at what is there ...')
  const plan = await planOf(options)
  showPlan(plan, options)
  const admin = await confirmPlan(options)
  try {
    return await carryOut(plan, options, admin)
  } catch (cause) {
    throw new Error(`${cause.message}\nWhen this is fixed, run the command again to resume.`, { cause })
  }
}

/**
 * @param {string | undefined} name of the environment
 * @param {Record<string, string>} vars its variables
 * @param {import('./setup/secrets.mjs').FirstWorkspace} workspace
 */
function welcome(name, { ISSUER: origin, OIDC_ISSUER: login }, { workspace_id, admin, ...credentials }) {
  const text = welcomeText({
    origin,
    login: login ? `log in as ${admin}` : 'needs a login provider: docs/login.md',
    tokenFile: relative(secretsFile(name)),
    workspace: `Workspace ${workspace_id} (also in ${relative(workspaceFile(name))})`,
    credentials,
    hint: 'Try it:',
  })
  say(`\n${text}\n\nFrom now on: ${deployCommand(name)}. Commit wrangler.toml.`)
}

async function main(options) {
  const { env: name } = options
  if ((await readWorkspace(name, options.workspace)).api_key !== undefined) {
    say(`Setup is complete. The credentials of the first workspace are in ${relative(workspaceFile(name))}.`)
    return say(`From now on: ${deployCommand(name)}`)
  }
  const workspace = await setUp(options)
  const { vars } = readConfiguration(name)
  await checkSearch(vars.ISSUER, searchVariables(workspace))
  welcome(name, vars, workspace)
}

process.chdir(root)
await runMain(setupCommand().action(main))
