/**
 * Starts the page's code when what is seen first has been loaded, or a second after the first paint:
 * the page is whole without it, so nothing that is seen shares the line with it. A tab behind
 * others, which is not painted, starts it at once.
 * @param entry the module that hydrates the page
 * @param modules what else the matched routes need, loaded beside it
 * @returns the text of an inline script
 */
export function startScript(entry: string, modules: readonly string[]): string {
  const files = JSON.stringify([entry, ...modules])
  return `(function(f,s){function go(){if(s)return;s=1;f.forEach(function(h){var l=document.createElement('link');l.rel='modulepreload';l.href=h;document.head.append(l)});import(f[0])}addEventListener('load',go);try{if(document.hidden)go();else new PerformanceObserver(function(){setTimeout(go,1e3)}).observe({type:'paint',buffered:true})}catch(e){go()}})(${files})`
}
