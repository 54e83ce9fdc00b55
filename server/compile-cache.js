import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Loaded ahead of everything else, and plain JavaScript: it lets Node keep compiled modules between
// starts, so that the command line does without the type stripper from its second start on, which
// saves 20 MB and a tenth of a second. A directory that cannot be written does no harm.
enableCompileCache(join(process.env.DATA_DIR || 'data/var', 'cache/compiled'))
