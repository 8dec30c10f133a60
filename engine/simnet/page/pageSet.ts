import { fileURLToPath } from 'node:url'
import { browserFiles, createPageSet, type PageSet, packageFile } from '../../pages/pages.ts'

const HERE = new URL('./browser/', import.meta.url)
const SHARED = new URL('../../pages/browser/', import.meta.url)

/** Made from sources of ours and from packages, so that a browser has one file of it. */
const BUNDLED = 'wallet.js'

/** viem and web3.js are hundreds of files: of them, what the page's wallet needs. Made once, when the page is first asked for. */
const bundleWallet = async (): Promise<string> => {
  const { build } = await import('rolldown')
  const { output } = await build({
    input: fileURLToPath(new URL(BUNDLED, HERE)),
    write: false,
    platform: 'browser',
    transform: { target: 'es2022', define: { global: 'globalThis' } },
    output: { format: 'esm', minify: true, codeSplitting: false },
    logLevel: 'silent',
  })
  return output[0].code
}

const makePages = (): PageSet =>
  createPageSet({
    base: '',
    documents: { '/': new URL('./offline.html', import.meta.url) },
    files: {
      ...browserFiles(HERE, 'simnet/page'),
      ...browserFiles(SHARED, 'pages'),
      [`simnet/page/browser/${BUNDLED}`]: bundleWallet,
      'lit-html.js': packageFile('lit-html/lit-html.js'),
    },
    policy: {
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      // The service is another origin of this machine.
      'connect-src': ["'self'", 'http://127.0.0.1:*', 'http://localhost:*'],
    },
  })

let pages: PageSet | null = null

/** The page of the offline network, on its control server. */
export const offlinePages = (): PageSet => {
  pages ??= makePages()
  return pages
}
