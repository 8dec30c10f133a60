/**
 * Who may import whom, for dependency-cruiser: `npm run check` holds every module against it, and test/architecture.test.ts
 * plants one violation per rule to prove that each can fail. `$1` is what the first group of `from.path` matched.
 */

const ours = '^(engine|handlers|scripts|test|generated)/'

/** Packages, wherever npm or a link put them. */
const packages = (...names) => `(^|/)node_modules/(${names.join('|')})(/|$)`

/** What npm start and the operator run, outside the product's folders. */
const STARTED =
  '^scripts/((start|serve|cluster|clusterWorker|listen|monitor|explainer|log|drain|onSimnet|operator)\\.ts$|operator/|cluster/)'

/** Packages that package.json does not list under dependencies. */
const NOT_DEPENDED_ON = ['npm-dev', 'npm-peer', 'npm-optional', 'npm-no-pkg', 'npm-unknown']

const ban = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

const forbidden = [
  ban('no-cycles', 'Two modules that need each other are one module, or lack a third.', {}, { circular: true }),
  ban(
    'resolvable',
    'What cannot be resolved cannot be checked. Dredd gives its hook files a package of its own.',
    { pathNot: '^test/contract/dreddHooks\\.cjs$' },
    { couldNotResolve: true },
  ),
  ban(
    'engine-is-inner',
    'The engine knows nothing of HTTP, of the contract or of how it is started.',
    { path: '^engine/' },
    { path: '^(handlers|scripts|test|generated)/' },
  ),
  ban(
    'handlers-see-the-facade',
    'The edge talks to the engine through its facade, its core types, its errors and its events.',
    { path: '^handlers/' },
    { path: ours, pathNot: '^(handlers/|generated/|engine/core/|engine/pages/|engine/(engine|errors|observe/observe)\\.ts$)' },
  ),
  ban(
    'generated-is-a-leaf',
    'Generated code depends on libraries only.',
    { path: '^generated/' },
    { path: ours, pathNot: '^generated/' },
  ),
  ban(
    'pages-know-nothing',
    'They are served to whoever has something to show.',
    { path: '^engine/pages/' },
    { path: ours, pathNot: '^engine/(pages|core)/' },
  ),
  ban(
    'browsers-have-no-server',
    'What a page loads runs in a browser: of ours it has the other files of pages alone.',
    { path: '/browser/[^/]+\\.js$' },
    { path: ours, pathNot: '/browser/[^/]+\\.js$' },
  ),
  ban(
    'core-is-pure',
    'Types and pure functions: everything may import them, so they import nothing of ours.',
    { path: '^engine/core/' },
    { path: ours, pathNot: '^engine/core/' },
  ),
  ban(
    'core-does-no-io',
    'Types and pure functions.',
    { path: '^engine/core/' },
    { dependencyTypes: ['core'], path: '^(node:)?(fs|net|tls|dgram|dns|https?|http2|child_process|worker_threads|timers)' },
  ),
  ban(
    'the-judge-only-judges',
    'Where a swap stands is decided from what was gathered, and from nothing else.',
    { path: '^engine/execution/track/judge\\.ts$' },
    { path: '^engine/', pathNot: '^engine/(core/|chains/payments\\.ts$)' },
  ),
  ban(
    'venues-are-strangers',
    'What two venues share belongs to the kit or to the engine; the kit knows no venue.',
    { path: '^engine/venues/([^/]+)/' },
    { path: '^engine/venues/[^/]+/', pathNot: '^engine/venues/($1|kit)/' },
  ),
  ban(
    'venues-only-adapt',
    'An adapter maps; deadlines, retries, ranking, fees and storage are not its business.',
    { path: '^engine/venues/([^/]+)/' },
    {
      path: '^engine/',
      pathNot: '^engine/(core|chains|net)/|^engine/venues/(venue|venueError)\\.ts$|^engine/venues/[^/]+/',
    },
  ),
  ban(
    'venue-insides-are-private',
    'The registry takes venue.ts of each folder; the rest is private to the venue, its tests, and who holds its tables against the published ones.',
    { pathNot: '^(engine/venues/[^/]+|engine/simnet/venues|scripts/published|test)/' },
    { path: '^engine/venues/[^/]+/', pathNot: '^engine/venues/(kit/|[^/]+/venue\\.ts$)' },
  ),
  ban(
    'venues-come-from-the-registry',
    'Naming one venue outside the registry would be the start of special cases.',
    { pathNot: '^(engine/venues|engine/simnet/venues|scripts/published|test)/' },
    { path: '^engine/venues/[^/]+/', pathNot: '^engine/venues/kit/' },
  ),
  ban(
    'kit-is-for-venues',
    'What the engine must be sure of is a check of its own.',
    { path: '^(engine|handlers)/', pathNot: '^engine/venues/[^/]+/' },
    { path: '^engine/venues/kit/' },
  ),
  ban(
    'simnet-is-independent',
    "A simulator that shares an adapter's code or types can only agree with it. It may share `protocol.ts`, which the vendor's vectors or SDK verify.",
    { path: '^engine/simnet/' },
    { path: '^engine/', pathNot: '^engine/((core|chains|pages|simnet)/|venues/[^/]+/protocol\\.ts$)' },
  ),
  ban(
    'simulators-are-strangers',
    'What two simulated venues share belongs to their kit, which knows no venue.',
    { path: '^engine/simnet/(kit|venues/[^/]+)/' },
    { path: '^engine/simnet/venues/', pathNot: '^engine/simnet/$1/' },
  ),
  ban(
    'simulators-use-the-kit',
    'A simulated venue sees the network through the world it is given; all else it may use is in the kit, and in itself.',
    { path: '^engine/simnet/(?:kit|venues/([^/]+))/' },
    { path: '^engine/', pathNot: '^engine/(core|chains)/|^engine/simnet/(kit|venues)/|^engine/venues/$1/protocol\\.ts$' },
  ),
  ban(
    'protocols-are-facts',
    'Addresses, ABIs, layouts and hashes, without judgement: a simulator may share them.',
    { path: '^engine/venues/[^/]+/protocol\\.ts$' },
    { path: '^engine/', pathNot: '^engine/(core|chains)/' },
  ),
  ban(
    'simnet-stays-outside',
    'The product must not be able to fall back on simulated prices.',
    { pathNot: '^(engine/simnet|scripts|test)/' },
    { path: '^engine/simnet/' },
  ),
  ban(
    'no-http-framework-in-engine',
    'The engine is served by the edge and knows none.',
    { path: '^engine/' },
    { path: packages('koa', '@koa/[^/]+', 'openapi-backend', 'rate-limiter-flexible') },
  ),
  ban(
    'chain-sdks-behind-chains',
    'They are slow to load and wide; one folder knows them and loads them when first needed.',
    { path: '^(engine|handlers)/', pathNot: '^engine/(chains|simnet/bitcoin|simnet/page)/' },
    { path: packages('viem', '@solana/[^/]+', 'bitcoinjs-lib') },
  ),
  ban(
    'database-behind-store',
    'SQL lives in one folder. Everybody else has the port, tests as well: those of the store excepted, what stands in for another process, the records in memory, and what has a process die in the middle of a statement.',
    {
      path: '^(engine|handlers|scripts|test)/',
      pathNot:
        '^(engine/store/|test/engine/store/|test/support/((storeFile|memoryStore)\\.ts$|postgres/)|scripts/kills/preload\\.ts$)',
    },
    {
      path: `${packages('better-sqlite3', 'kysely', 'pg')}|^engine/store/(database|postgresDatabase|postgresDriver|schema|patientDialect|migrations/)`,
    },
  ),
  ban(
    'metrics-library-behind-metrics',
    'Loaded with the first scrape. Everybody else tells events.',
    { path: '^(engine|handlers|scripts)/', pathNot: '^engine/observe/metrics/promRegistry\\.ts$' },
    { path: packages('prom-client') },
  ),
  ban(
    'outbound-http-behind-net',
    'Deadlines, size caps and the private-address guard hold only for calls that pass through net. The offline network is no outside.',
    { path: '^(engine|handlers)/', pathNot: '^engine/(net|simnet)/' },
    { path: packages('undici', 'axios', 'node-fetch', 'got') },
  ),
  ban(
    'no-dev-dependencies-in-product',
    'npm ci --omit=dev must leave a service that starts. The offline network is for development, and says so where it cannot.',
    { path: `^(engine|handlers|generated)/|${STARTED}`, pathNot: '^engine/simnet/' },
    { dependencyTypes: NOT_DEPENDED_ON, dependencyTypesNot: ['type-only'] },
  ),
  ban(
    'simnet-needs-what-it-names',
    'What the offline network needs beyond the dependencies, requirePackages.ts looks for at its start.',
    { path: '^engine/simnet/' },
    { dependencyTypes: NOT_DEPENDED_ON, dependencyTypesNot: ['type-only'], pathNot: packages('litesvm', 'rolldown', 'lit-html') },
  ),
  ban(
    'product-loads-simnet-late',
    'A service on mainnet has neither its code nor its packages.',
    { path: STARTED },
    { path: '^engine/simnet/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
  ),
  ban(
    'nothing-depends-on-tests',
    'Tests come and go. The kills are a test that takes long: they start the same databases.',
    { path: '^(engine|handlers|generated|scripts)/', pathNot: '^scripts/kills/' },
    { path: '^test/' },
  ),
]

module.exports = {
  forbidden,
  options: {
    // Type-only imports tie modules together as well as any.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
}
