import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../scripts/contract/document.ts'

/** What operators are handed beside the service. */

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

it('the systemd unit starts what npm start does', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: { readonly start: string } }
  const [, command] = /^ExecStart=\S+\/node_modules\/node\/bin\/(.+)$/m.exec(read('operations/swap.service')) ?? []
  expect(command).toBe(scripts.start)
})

const anchorsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

it('every link of the pages for operators leads somewhere', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(projectRoot, 'operations'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `operations/${name}`),
  ]
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path = '', anchor]) => ({
      page,
      target: path === '' ? page : join(dirname(page), path),
      anchor,
    })),
  )
  expect(links.length).toBeGreaterThan(30)
  const isDead = ({ target, anchor }: (typeof links)[number]): boolean =>
    !existsSync(join(projectRoot, target)) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor))
  expect(links.filter(isDead)).toEqual([])
})
