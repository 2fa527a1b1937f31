/** Where we are. Five kinds of places are not worth a library; links are real links, and the back button works. */
class Route {
  path = $state(location.pathname);
  search = $state(location.search);
  parts = $derived(this.path.split("/").filter(Boolean));

  constructor() {
    addEventListener("popstate", () => this.read());
  }

  go(to: string, replace = false) {
    if (to !== this.path + this.search) history[replace ? "replaceState" : "pushState"](null, "", to);
    this.read();
    scrollTo(0, 0);
  }

  /** On the root element: a plain click on one of our own links changes the place without loading the page again. */
  follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.target || link.download) return;
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (/^\/(api|docs|admin)/.test(link.pathname) || link.hash) return; // a place within a page is the browser's to find
    event.preventDefault();
    this.go(link.pathname + link.search);
  };

  private read() {
    this.path = location.pathname;
    this.search = location.search;
  }
}

export const route = new Route();
