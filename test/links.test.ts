import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../scripts/contract/document.ts'

const read = (page: string): string => readFileSync(join(projectRoot, page), 'utf8')

const anchorsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const IGNORED = readFileSync(join(projectRoot, '.gitignore'), 'utf8')
  .split('\n')
  .map((line) => line.replace('/', ''))

/** Read from the folder, which need not be a git checkout. */
const pages = globSync('**/*.md', { cwd: projectRoot, exclude: (path) => IGNORED.includes(basename(path)) })

it('every link in the documentation leads to an existing page and anchor [install-links]', () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path = '', anchor]) => ({
      page,
      target: path === '' ? page : join(dirname(page), path),
      anchor,
    })),
  )
  expect(pages.length).toBeGreaterThan(30)
  expect(links.length).toBeGreaterThan(90)
  const isDead = ({ target, anchor }: (typeof links)[number]): boolean =>
    !existsSync(join(projectRoot, target)) ||
    (anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).includes(anchor))
  expect(links.filter(isDead)).toEqual([])
})

it('README.md has fewer than 160 lines and a picture of less than 100 kB', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(160)
  const [, picture = ''] = /!\[[^\]]+\]\(([^)]+\.png)\)/.exec(read('README.md')) ?? []
  expect(readFileSync(join(projectRoot, picture)).length).toBeLessThan(100_000)
})
