import { data, type LoaderFunctionArgs } from 'react-router'
import { folderFilter, getFolder, type FolderView } from '#shared/folders/folders.ts'
import { siteOf } from '../site/data/loading.ts'

/** What is at an address below /s/, with the status that goes with it. */
export async function loader(args: LoaderFunctionArgs) {
  const { searchParams } = new URL(args.request.url)
  const { id = '', '*': below } = args.params
  const view: FolderView = await siteOf(args).api(getFolder, {
    id,
    page: Number(searchParams.get('page') ?? 1),
    show: folderFilter(searchParams.get('show')),
    after: Number(searchParams.get('after') ?? Number.NaN),
    open: Number(searchParams.get('open') ?? Number.NaN),
    below: below || undefined,
  })
  if (view.state === 'open') {
    const isWrong = Object.keys(view.picks.form?.errors ?? {}).length > 0
    return data(view, { status: isWrong ? 400 : 200 })
  }
  const status = view.state === 'locked' ? 401 : view.status
  return data(view, { status })
}
