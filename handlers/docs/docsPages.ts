import { readFile } from 'node:fs/promises'
import {
  createPageSet,
  type PageAnswer,
  type PageRequest,
  type PageSet,
  type PageSource,
  packageFile,
} from '../../engine/pages/pages.ts'
import { GUIDES, type Guide, pathOf } from './guides.ts'
import { createOperationPlaces, type FindPlace } from './operationPlaces.ts'
import { guidePage, referencePage } from './shell.ts'

/** `/docs`: the contract as a page, made by Swagger UI, and the guides. Nothing is read before somebody opens one of them. */

const HERE = new URL('./browser/', import.meta.url)
const DOCUMENT = new URL('../../generated/openapi.json', import.meta.url)
const SHARED = {
  'theme.css': new URL('../../engine/pages/browser/theme.css', import.meta.url),
  'bar.css': new URL('bar.css', HERE),
}

const reference = (limit: number, installed: (path: string) => URL): PageSet =>
  createPageSet({
    base: '/docs',
    documents: { '/docs': async () => referencePage(limit) },
    files: {
      ...SHARED,
      'reference.css': new URL('reference.css', HERE),
      'reference.js': new URL('reference.js', HERE),
      'openapi.json': DOCUMENT,
      'swagger-ui.js': installed('swagger-ui-dist/swagger-ui-bundle.js'),
      'swagger-ui.css': installed('swagger-ui-dist/swagger-ui.css'),
    },
    policy: { 'style-src': ["'self'"], 'connect-src': ["'self'"], 'img-src': ["'self'", 'data:'] },
  })

const ROOT = new URL('../../', import.meta.url)

/** Where a link of a guide leads: to another guide, within its own page, to a path of this service or to https. */
const resolveFrom =
  ({ source }: Guide) =>
  (href: string) => {
    if (href.startsWith('#') || href.startsWith('/')) return { href, isForeign: false }
    if (href.startsWith('https://')) return { href, isForeign: true }
    const target = new URL(href, source)
    const hash = target.hash
    target.hash = ''
    const guide = target.href.startsWith(ROOT.href) ? GUIDES.find((one) => one.source.href === target.href) : undefined
    return guide ? { href: `${pathOf(guide)}${hash}`, isForeign: false } : null
  }

const render = async (guide: Guide, limit: number, findPlace: () => Promise<FindPlace>): Promise<string> => {
  const { renderMarkdown } = await import('./renderMarkdown.ts')
  const markdown = await readFile(guide.source, 'utf8')
  return guidePage(guide, limit, renderMarkdown(markdown, { resolve: resolveFrom(guide), findPlace: await findPlace() }))
}

const guides = (limit: number): PageSet => {
  let places: Promise<FindPlace> | null = null
  const findPlace = (): Promise<FindPlace> => {
    places ??= readFile(DOCUMENT, 'utf8').then((json) => createOperationPlaces(JSON.parse(json)))
    return places
  }
  return createPageSet({
    base: '/docs/guides',
    documents: Object.fromEntries(
      GUIDES.map((guide): [string, PageSource] => [pathOf(guide), () => render(guide, limit, findPlace)]),
    ),
    files: { ...SHARED, 'guide.css': new URL('guide.css', HERE), 'guide.js': new URL('guide.js', HERE) },
    policy: { 'style-src': ["'self'"], 'img-src': ["'self'", 'data:'] },
  })
}

export type DocsPages = {
  /** Null for a path outside these pages. Rejects if a package of the page is not installed. */
  answer(request: PageRequest): Promise<PageAnswer | null>
}

/** `anonymousPerMinute`: the limit without a key, which every page shows. `installed` returns the URL of a package's file. */
export const createDocsPages = (anonymousPerMinute: number, installed = packageFile): DocsPages => {
  const sets = [guides(anonymousPerMinute), reference(anonymousPerMinute, installed)]
  return {
    answer: async (request) => {
      for (const set of sets) {
        const answer = await set.answer(request)
        if (answer !== null) return answer
      }
      return null
    },
  }
}
