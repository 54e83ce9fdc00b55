/**
 * Runs before first paint: sets the `dark` class as the stored theme or the system says
 * (spec section 4, Theme), and remembers a press of a `data-early` button that comes before its
 * code. Static, so that its hash can stand in a policy.
 */
export const themeScript = `(function(d){try{var t=localStorage.getItem('theme')}catch(e){}if(t!=='light'&&(t==='dark'||matchMedia('(prefers-color-scheme: dark)').matches))d.classList.add('dark');d.classList.add('js');d.addEventListener('click',function(e){var b=e.target.closest('[data-early]');if(b&&d.early!==null)d.early=b})})(document.documentElement)`
