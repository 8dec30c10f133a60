import { readFile } from 'node:fs/promises'
import { CHAINS } from '../../../engine/core/chain.ts'
import {
  browserFiles,
  createPageSet,
  type PageAnswer,
  type PageRequest,
  type PageSet,
  packageFile,
} from '../../../engine/pages/pages.ts'
import { escapeHtml } from '../../docs/escapeHtml.ts'
import { renderMarkdown } from '../../docs/renderMarkdown.ts'

const HERE = new URL('./browser/', import.meta.url)
const SHARED = new URL('../../../engine/pages/browser/', import.meta.url)
const RUNBOOK = new URL('../../../operations/RUNBOOK.md', import.meta.url)

const OWN = { ...browserFiles(HERE, 'handlers/monitor/page'), ...browserFiles(SHARED, 'engine/pages') }

const POLICY = { 'style-src': ["'self'"], 'img-src': ["'self'", 'data:'], 'connect-src': ["'self'"] }

/** What the metrics call by its number has a name for people. */
const chainNames = (): string => JSON.stringify(Object.fromEntries(CHAINS.map(({ chainId, name }) => [chainId, name])))

const page = (): PageSet =>
  createPageSet({
    base: '',
    documents: {
      '/': async () =>
        (await readFile(new URL('./operator.html', import.meta.url), 'utf8')).replace('%CHAINS%', escapeHtml(chainNames())),
    },
    files: {
      ...OWN,
      'lit-html.js': packageFile('lit-html/lit-html.js'),
      'uPlot.js': packageFile('uplot/dist/uPlot.esm.js'),
      'uPlot.css': packageFile('uplot/dist/uPlot.min.css'),
    },
    policy: POLICY,
  })

/** Files that it names stay text: they are not here. */
const toRead = (href: string) => (href.startsWith('#') ? { href, isForeign: false } : null)

const runbookPage = async (): Promise<string> => {
  const { html } = renderMarkdown(await readFile(RUNBOOK, 'utf8'), { resolve: toRead })
  return (await readFile(new URL('./runbook.html', import.meta.url), 'utf8')).replace('%TEXT%', () => html)
}

const runbook = (): PageSet =>
  createPageSet({ base: '/runbook', documents: { '/runbook': runbookPage }, files: OWN, policy: POLICY })

/** The operator's page, which shows the metrics on their port, and the runbook, which the page links to. */
export const createOperatorPages = (): PageSet => {
  const sets = [page(), runbook()]
  return {
    answer: async (request: PageRequest): Promise<PageAnswer | null> => {
      for (const set of sets) {
        const answer = await set.answer(request)
        if (answer !== null) return answer
      }
      return null
    },
  }
}
