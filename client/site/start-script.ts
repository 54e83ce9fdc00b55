/**
 * Starts the page's code right after its first paint: the page is whole without it, so nothing that
 * is seen shares the line with it. Where nothing is painted, as in a tab behind others, it starts
 * at once or when everything else is loaded.
 * @param entry the module that hydrates the page
 * @param modules what else the matched routes need, loaded beside it
 * @returns the text of an inline script
 */
export function startScript(entry: string, modules: readonly string[]): string {
  const files = JSON.stringify([entry, ...modules])
  return `(function(f,s){function go(){if(s)return;s=1;f.forEach(function(h){var l=document.createElement('link');l.rel='modulepreload';l.href=h;document.head.append(l)});import(f[0])}addEventListener('load',go);try{if(document.hidden)go();else new PerformanceObserver(go).observe({type:'paint',buffered:true})}catch(e){go()}})(${files})`
}
