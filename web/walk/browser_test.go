package walk

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"rollcall/internal/race"
)

// stepTime bounds each step in the browser: a page that never comes to rest is told from a machine that does much else.
const stepTime = 3 * time.Minute

// notWatched says why no browser is driven where the race detector watches.
const notWatched = "the time goes to the browser, and the tests of the commands and of the API show it the service"

// tab is a page of a headless Chromium that notes what the browser complains of, and what it fetches.
type tab struct {
	t     *testing.T
	ctx   context.Context //nolint:containedctx // a browser is a context here
	close context.CancelFunc
	root  string // address of the service

	mu       sync.Mutex
	problems []string
	requests []string
	bytes    int64 // since the last visit, as transferred
}

// chromium is where the browser is; a test that needs one asks before all else. CI has to have it.
func chromium(t *testing.T) string {
	t.Helper()
	race.Skip(t, notWatched)
	at, err := exec.LookPath("chromium")
	if err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), "CI needs chromium")
		t.Skip("chromium is not installed: the pages are not tried in a browser")
	}
	return at
}

// newTab opens a browser of its own.
func newTab(t *testing.T, root string) *tab {
	t.Helper()
	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-sync", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), o...)
	t.Cleanup(cancel)
	return openTab(t, ctx, root)
}

// beside opens another tab in the same browser.
func (b *tab) beside() *tab {
	b.t.Helper()
	return openTab(b.t, b.ctx, b.root)
}

// openTab opens the first tab of a browser of its own, or another of the browser that ctx is a tab of.
func openTab(t *testing.T, ctx context.Context, root string) *tab { //nolint:revive // a test comes first
	t.Helper()
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, close: cancel, root: root}
	b.do(chromedp.EmulateViewport(1280, 900))
	require.NoError(t, chromedp.Listen(ctx, b.heard))
	b.minds()
	return b
}

func (b *tab) heard(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := ev.(type) {
	case *log.EventEntryAdded:
		b.problems = append(b.problems, e.Entry.Text+" "+e.Entry.URL)
	case *runtime.EventExceptionThrown:
		b.problems = append(b.problems, e.ExceptionDetails.Text+" "+fmt.Sprint(e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		b.problems = append(b.problems, "console: "+string(e.Type))
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *network.EventLoadingFinished:
		b.bytes += int64(e.EncodedDataLength)
	}
}

// do takes steps, each within stepTime.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for i, s := range steps {
		_, err := within(b.ctx, s)
		require.NoError(b.t, err, "step %d", i)
	}
}

func within[T any](ctx context.Context, a chromedp.Action[T]) (T, error) {
	// A deadline of its own for each step: one on the browser's context would end the browser.
	type outcome struct {
		v   T
		err error
	}
	ended := make(chan outcome, 1)
	go func() {
		v, err := chromedp.Run(ctx, a)
		ended <- outcome{v, err}
	}()
	select {
	case o := <-ended:
		return o.v, o.err
	case <-time.After(stepTime):
		var zero T
		return zero, fmt.Errorf("not done within %s", stepTime)
	}
}

// eval gives the value of an expression, awaiting promises.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := within(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	require.NoError(b.t, err, expression)
	return v
}

// until waits for an expression to be true, across documents.
func (b *tab) until(expression string) {
	b.t.Helper()
	tick, late := time.NewTicker(30*time.Millisecond), time.After(stepTime)
	defer tick.Stop()
	for {
		// An error is a document that is being left.
		if yes, err := within(b.ctx, chromedp.Evaluate[bool]("!!("+expression+")")); err == nil && yes {
			return
		}
		select {
		case <-tick.C:
		case <-late:
			require.Fail(b.t, "not so", "%s\nat %s: %s\n%v", expression, b.path(), b.text(), b.problems)
		}
	}
}

// visit opens a path and waits until its records are shown.
func (b *tab) visit(path string) {
	b.t.Helper()
	b.mu.Lock()
	b.bytes = 0
	b.mu.Unlock()
	b.do(chromedp.Navigate(b.root + path))
	b.settled()
}

// settledPage is true where nothing on the page is being loaded.
const settledPage = `document.readyState === "complete" && !document.querySelector("[data-skeleton], .bone, [aria-busy]") && (!document.querySelector("#groups") || document.querySelector("#groups").children.length)`

// settled waits until nothing on the page is being loaded.
func (b *tab) settled() {
	b.t.Helper()
	b.until(settledPage)
}

// transferred is how many bytes came since the last visit.
func (b *tab) transferred() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes
}

// text is what the page shows.
func (b *tab) text() string { return eval[string](b, "document.body.innerText") }

// path is where the page is.
func (b *tab) path() string { return eval[string](b, "location.pathname + location.search") }

// click clicks the first element of a selector and waits for the page that follows.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(chromedp.ScrollIntoView(chromedp.CSS(selector)), chromedp.Click(chromedp.CSS(selector)))
}

// submit clicks a button that leads to another document, and waits for it.
func (b *tab) submit(selector string) {
	b.t.Helper()
	eval[bool](b, "window.before = true")
	b.click(selector)
	b.until("window.before === undefined")
	b.settled()
}

// signsOut opens the account menu and leaves by it.
func (b *tab) signsOut() {
	b.t.Helper()
	b.click("button.account")
	b.submit("form[action='/sign-out'] button")
}

// look sets the width of the window and the colour scheme.
func (b *tab) look(width int64, scheme string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, 900))
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	require.NoError(b.t, err)
}

// forced shows the page as one who chose the colors of all pages has it, as in the high contrast of Windows.
func (b *tab) forced() {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	require.NoError(b.t, err)
	require.True(b.t, eval[bool](b, `matchMedia("(forced-colors: active)").matches`))
}

// enlarged shows the page as a window of 1280 by 900 does at 400 %, where WCAG asks that nothing has to be scrolled both ways.
func (b *tab) enlarged() {
	b.t.Helper()
	b.look(320, "light")
	b.do(chromedp.EmulateViewport(320, 225, chromedp.EmulateScale(4)))
	require.Equal(b.t, 320, eval[int](b, "innerWidth"))
}

// clean fails when the browser has complained of anything, the content policy included, or asked anybody else.
func (b *tab) clean() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(b.t, b.problems)
	for _, address := range b.requests {
		require.True(b.t, strings.HasPrefix(address, b.root+"/") || strings.HasPrefix(address, "data:") || address == "about:blank", address)
	}
}

// forget drops the complaints so far, which the test has looked at.
func (b *tab) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = nil
}

// forgive drops the complaints that hold a text, which the test expects.
func (b *tab) forgive(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = slices.DeleteFunc(b.problems, func(p string) bool { return strings.Contains(p, text) })
}

// fits fails when the page, or any part of it, has to be scrolled sideways.
func (b *tab) fits() {
	b.t.Helper()
	wide := eval[string](b, `[...document.querySelectorAll("body *")].filter(e => e.checkVisibility() && (e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".visually-hidden, .skip")
			|| e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX) && !/^(INPUT|SELECT|TEXTAREA)$/.test(e.tagName)))
		.slice(0, 5).map(e => e.outerHTML.slice(0, 160)).join("\n")`)
	require.Empty(b.t, wide, "at %s", b.path())
	require.LessOrEqual(b.t, eval[int](b, "document.documentElement.scrollWidth - innerWidth"), 0, "at %s", b.path())
}

// readerPassword is the password of everybody who joins.
const readerPassword = "river lamp orange desk"

// joins follows an invitation and chooses a password.
func (b *tab) joins(door string) {
	b.t.Helper()
	b.visit(door)
	b.do(chromedp.SendKeys(chromedp.CSS("#password"), readerPassword), chromedp.SendKeys(chromedp.CSS("#again"), readerPassword))
	b.submit("main button")
}
