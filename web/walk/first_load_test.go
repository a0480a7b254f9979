package walk

import (
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

const (
	// pageWeight is what a page may transfer on its first load, in bytes.
	pageWeight = 100_000
	// pageShift is how far its parts may move while it loads, as the cumulative layout shift that is called good.
	pageShift = 0.1
)

// shifted gives the cumulative layout shift of the page since it was opened.
const shifted = `new Promise((done) => {
	let sum = 0;
	const add = (list) => { for (const e of list) if (!e.hadRecentInput) sum += e.value; };
	const watch = new PerformanceObserver((l) => add(l.getEntries()));
	watch.observe({type: "layout-shift", buffered: true});
	requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { add(watch.takeRecords()); done(sum); })));
})`

// firstLoad opens a page as one who was never here: nothing of it is in the browser's cache. It must be light, and nothing
// on it may jump away from under a finger.
func (b *tab) firstLoad(path string) {
	b.t.Helper()
	b.cached(false)
	b.visit(path)
	require.LessOrEqual(b.t, b.transferred(), int64(pageWeight), "bytes that %s transfers", path)
	require.LessOrEqual(b.t, eval[float64](b, shifted), pageShift, "layout shift of %s", path)
	b.cached(true)
}

// cached says whether the browser may use what it has loaded before.
func (b *tab) cached(may bool) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: !may})
	require.NoError(b.t, err)
}
