/** Where the site begins: `/`, or the path under which its host has put it. Every address in the page begins with it. */
export const SITE = new URL("..", import.meta.url).pathname;
