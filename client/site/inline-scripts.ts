/**
 * The scripts that stand in the document itself. They are static, so that their hashes can stand in
 * a policy, and written as they are sent.
 */

/**
 * Pixels of scrolling after which the bar gets its own ground
 * (docs/contract.md, Limits and constants).
 */
const solidAfter = 50

/**
 * Runs before first paint: sets the `dark` class as the stored theme or the system says
 * (docs/contract.md, Theme), notes whether the page is scrolled, for the bar above it, and keeps
 * the press of a button that comes before its code, for {@link replayEarlyPress}. What would lead
 * to another page is held back for it; links are not.
 */
export const firstScript = `(function(d){
try{var t=localStorage.getItem('theme')}catch(e){}
if(t!=='light'&&(t==='dark'||matchMedia('(prefers-color-scheme: dark)').matches))d.classList.add('dark');
d.classList.add('js');
addEventListener('scroll',function(){d.toggleAttribute('data-scrolled',scrollY>${solidAfter})},{passive:true});
d.addEventListener('click',function(e){
var b=e.target.closest('button,[data-contact]');
if(d.early===null||!b||b.hasAttribute('command')||e.ctrlKey||e.metaKey||e.shiftKey||e.altKey)return;
if(b.hasAttribute('data-contact'))e.preventDefault();
else if(b.form&&b.type==='submit')return;
d.early=b})
})(document.documentElement)`

/**
 * Loads the code of the page once its first view is painted, the large picture in it included, so
 * that nothing competes with what is seen first; at the latest with the load event, which as a
 * rule waits for the code. Chunks are named a frame later than the entry, when the picture is painted,
 * and a few at a time: each costs a slow phone milliseconds, and thirty at once would hold up a press.
 * Where the code cannot come, a kept press is left to the browser.
 */
export const startScript = `(function(d,s){
function start(){
if(!s)return;
var m=s.dataset,e=document.createElement('script');
s=null;
e.type='module';e.src=m.entry;e.fetchPriority='low';
e.onerror=function(){var b=d.early;d.early=null;if(b)b.click()};
document.body.append(e);
var h=m.modules.split(' ');
frame(function name(){
h.splice(0,4).forEach(function(f){
if(!f)return;
var l=document.createElement('link');
l.rel='modulepreload';l.href=f;l.fetchPriority='low';
document.head.append(l)});
if(h.length)setTimeout(name)})}
function frame(f){requestAnimationFrame(function(){setTimeout(f)})}
frame(function(){
var p=document.querySelector('img[fetchpriority=high]');
if(!p||p.complete)return start();
p.onload=p.onerror=start;
setTimeout(start,3000)});
addEventListener('load',start)
})(document.documentElement,document.currentScript)`

/** Carries out the press that {@link firstScript} has kept. Called once the page is alive. */
export function replayEarlyPress() {
  const root = document.documentElement as HTMLElement & { early?: HTMLElement | null }
  const { early } = root
  root.early = null
  early?.click()
}
