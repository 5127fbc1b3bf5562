import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { BUNDLE } from '../../../scripts/bundle.mjs'
import { root } from '../../../scripts/wrangler.mjs'
import { shareWrangler } from './wrangler.mjs'

export const TOKEN = 'token-of-the-tests'

/** A copy of the project with a configuration that a test may change. Its Worker is bundled once. */
export class Project {
  #endWrangler

  constructor(directory, platform, endWrangler) {
    this.directory = directory
    this.platform = platform
    this.#endWrangler = endWrangler
  }

  /** @param {import('./stand-in.mjs').Platform} platform */
  static async make(platform) {
    const directory = await mkdtemp(path.join(tmpdir(), 'scripts-test-'))
    const inside = (name) => path.join(directory, name)
    // The scripts import parts of the Worker. Its entry is replaced by the bundle.
    const ofWorker = await readdir(path.join(root, 'src', 'worker'))
    const sources = ofWorker.filter((name) => name !== 'index.ts').map((name) => `src/worker/${name}`)
    await Promise.all(['src/worker', 'dist/assets'].map((name) => mkdir(inside(name), { recursive: true })))
    await Promise.all([
      cp(path.join(root, 'scripts'), inside('scripts'), { recursive: true }),
      ...['package.json', 'tsconfig.json', 'wrangler.toml'].map((name) => cp(path.join(root, name), inside(name))),
      ...['node_modules', 'migrations', 'src/cli', 'src/client', 'src/shared', ...sources].map((name) =>
        symlink(path.join(root, name), inside(name)),
      ),
      writeFile(inside('dist/assets/robots.txt'), ''),
      build({
        ...BUNDLE,
        // Ten uploads of a third of the size.
        minify: true,
        entryPoints: [path.join(root, 'src', 'worker', 'index.ts')],
        outfile: inside('src/worker/index.ts'),
      }),
    ])
    return new Project(directory, platform, await shareWrangler(directory))
  }

  read = (name) => readFile(path.join(this.directory, name), 'utf8')

  remove() {
    this.#endWrangler()
    return rm(this.directory, { recursive: true, force: true })
  }

  /** Starts a script of the project. */
  start = (script, args, environment) =>
    this.#start(process.execPath, [path.join('scripts', script), ...args], environment)

  /** Runs commands as typed by a user who does not wait. */
  shell = (commands) => this.#start('bash', ['-e', '-c', `sleep() { :; }; ${commands}`])

  /** Starts a program as the leader of a process group, as a shell does. */
  #start(program, args, environment = {}) {
    const child = spawn(program, args, {
      cwd: this.directory,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ASSETS_ARE_BUILT: '1',
        CI: '1',
        WRANGLER_SEND_METRICS: 'false',
        // Its banner asks the registry for newer releases.
        WRANGLER_HIDE_BANNER: 'true',
        CLOUDFLARE_API_BASE_URL: this.platform.origin,
        CLOUDFLARE_API_TOKEN: TOKEN,
        PLATFORM_STAND_IN: this.platform.origin,
        NODE_OPTIONS: `--import=${new URL('through-stand-in.mjs', import.meta.url).href}`,
        ...environment,
      },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    return {
      output: () => output,
      ended: once(child, 'close').then(([code, signal]) => code ?? signal),
    }
  }

  /** Runs a script until it ends. @returns {Promise<{ code: number | string, output: string }>} */
  async run(script, args, environment) {
    const { ended, output } = this.start(script, args, environment)
    return { code: await ended, output: output() }
  }
}
