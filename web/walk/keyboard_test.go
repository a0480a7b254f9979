package walk

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// write types into a field.
func (b *tab) write(selector, text string) {
	b.t.Helper()
	b.do(chromedp.Focus(chromedp.CSS(selector)), chromedp.KeyEvent(text))
}

// press sends keys to whatever has the focus, and waits until what follows is so.
func (b *tab) press(keys, until string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
	b.until(until)
	b.settled()
}

// enters presses a key that leads to another document, and waits for it.
func (b *tab) enters(key string) {
	b.t.Helper()
	eval[bool](b, "window.before = true")
	b.press(key, "window.before === undefined")
}

// tabTo goes forward by the tab key until an element that fits has the focus.
func (b *tab) tabTo(selector string) {
	b.t.Helper()
	for range 250 { // the manual is long
		if eval[bool](b, `document.activeElement.matches(`+quoted(selector)+`)`) {
			return
		}
		b.do(chromedp.KeyEvent(kb.Tab))
	}
	require.Fail(b.t, "not reached by keyboard", "%s at %s", selector, b.path())
}

// opens opens a part that is folded away, by keyboard, and goes on to what is in it. A dialog chooses in the next frame what has the
// focus (confirm.js): a person is never as quick as a test.
func (b *tab) opens(summary, inside string) {
	b.t.Helper()
	b.tabTo(summary)
	b.do(chromedp.KeyEvent(kb.Enter))
	eval[bool](b, `new Promise(drawn => requestAnimationFrame(() => drawn(true)))`)
	b.tabTo(inside)
}

// minds notes what listens to clicks, in every document from now on.
func (b *tab) minds() {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		window.clicked = new Set();
		const add = EventTarget.prototype.addEventListener;
		EventTarget.prototype.addEventListener = function (type, ...rest) {
			if (/^(click|mousedown|pointerdown)$/.test(type) && this instanceof Element) window.clicked.add(this);
			return add.call(this, type, ...rest);
		};`})
	require.NoError(b.t, err)
}

// beforeTabbing looks at the page as it stands, and notes at each press of the tab key what the one before it led to.
const beforeTabbing = `(() => {
	const works = "a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary, audio[controls], video[controls], iframe, [contenteditable=true]";
	const said = e => e.outerHTML.slice(0, 200);
	const shown = e => e.getClientRects().length > 0 && e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true});
	const style = e => { const of = [e, e.closest("label")].filter(Boolean).map(x => { const s = getComputedStyle(x);
		return [s.outlineStyle, s.outlineWidth, s.outlineColor, s.boxShadow]; }); return JSON.stringify(of); };
	const clickable = e => e.matches(works + ", label, option, [role=button], [role=link], [role=tab], [role=menuitem], [role=option], [role=switch], [role=checkbox]");
	const faults = new Set();
	document.activeElement.blur();
	const all = [...document.querySelectorAll(works + ", [tabindex], [role=button], [role=link], [role=tab], [role=menuitem], [role=switch]")].filter(shown)
		.filter(e => !(e.matches("[tabindex='-1']") && !clickable(e)));
	const plain = new Map(all.map(e => [e, style(e)]));
	for (const e of all) if (e.tabIndex < 0) faults.add("no stop of the tab key: " + said(e));
	for (const e of window.clicked || []) if (e.isConnected && shown(e) && !e.closest(works + ", label, [tabindex='0']") && !e.querySelector(works)) faults.add("only a mouse can click it: " + said(e));
	for (const e of document.querySelectorAll("[onclick]")) if (!e.matches(works)) faults.add("only a mouse can click it: " + said(e));
	for (const e of document.querySelectorAll("body *")) if (getComputedStyle(e).cursor === "pointer" && shown(e) && !e.closest(works + ", label, [tabindex='0']") && !e.closest("button, select")) faults.add("looks as if a mouse could click it: " + said(e));
	const met = new Set();
	const look = () => {
		const e = document.activeElement;
		if (!e || e === document.body || met.has(e)) return;
		met.add(e);
		if (plain.has(e) && style(e) === plain.get(e)) faults.add("does not show that it has the focus: " + said(e));
		const r = [...e.getClientRects()][0], top = document.querySelector(".top");
		if (!r || r.bottom <= 0 || r.top >= innerHeight || r.right <= 0 || r.left >= innerWidth) { faults.add("has the focus out of sight: " + said(e)); return; }
		const over = top && document.elementFromPoint(Math.max(r.left + Math.min(r.width, 40) / 2, 1), Math.max(r.top + Math.min(r.height, 40) / 2, 1));
		if (top && !top.contains(e) && over && top.contains(over))
			faults.add("has the focus below the head of the page: " + said(e));
	};
	addEventListener("keydown", look, true);
	window.tabbed = () => {
		look();
		removeEventListener("keydown", look, true);
		const radio = e => e.type === "radio" && e.name && [...met].some(m => m.type === "radio" && m.name === e.name);
		for (const e of all) if (e.isConnected && shown(e) && !met.has(e) && e.tabIndex >= 0 && !radio(e)) faults.add("not reached by the tab key: " + said(e));
		return [...faults].slice(0, 8).join("\n");
	};
	if (all.length) all[0].focus({focusVisible: true});
	return all.length + 4 + 9 * document.querySelectorAll("[type^=date], [type=time], [type=month], [type=week]").length;
})()`

// reached goes through the page by the tab key alone. Whatever does something is a stop of it, shows that it has the focus, and
// is not hidden by the head of the page meanwhile; nothing waits for a click that no key can make.
func (b *tab) reached() {
	b.t.Helper()
	require.Empty(b.t, b.tabbed(), "at %s", b.path())
}

// tabbed goes through the page and gives its faults, one a line.
func (b *tab) tabbed() string {
	b.t.Helper()
	eval[bool](b, "window.at = document.activeElement, window.from = scrollY, true")
	stops := eval[int](b, beforeTabbing)
	b.do(chromedp.KeyEvent(strings.Repeat(kb.Tab, stops)))
	faults := eval[string](b, "window.tabbed()")
	eval[bool](b, "window.at.focus({preventScroll: true}), scrollTo(0, window.from), true")
	return faults
}

func TestTheWalkByTabKeyFindsWhatNeedsAMouse(t *testing.T) {
	t.Parallel()
	chromium(t)
	const good = `<header class=top style="position:sticky;top:0;z-index:5;height:80px;background:white"><a href="/">home</a></header><main>
 <button>a</button><label>b<input></label><input type=datetime-local><details><summary>c</summary><a href="/x">d</a></details><select><option>e</select><input type=radio name=r checked><input type=radio name=r>`
	cases := map[string]struct{ part, fault string }{
		"a sound page":                      {"", ""},
		"a button that is left out":         {"<button tabindex=-1>x</button>", "no stop of the tab key: <button"},
		"a role that is no stop":            {"<span role=button>x</span>", "no stop of the tab key: <span"},
		"an element that listens to clicks": {"<div id=d>x</div><script>d.addEventListener('click', () => {})</script>", "only a mouse can click it: <div id"},
		"an element with a hand":            {"<b style='cursor:pointer'>x</b>", "looks as if a mouse could click it: <b"},
		"a link without a ring":             {"<a href='/y' style='outline:0'>x</a>", "does not show that it has the focus: <a"},
		"a link outside of the page":        {"<a href='/y' style='position:fixed;left:-99px;width:9px'>x</a>", "has the focus out of sight: <a"},
		"a link below the head":             {"<a href='/y' style='position:fixed;top:20px;left:300px'>x</a>", "has the focus below the head of the page: <a"},
		"a trap":                            {"<button id=t>x</button><script>t.addEventListener('keydown', e => e.preventDefault())</script><a href='/z'>y</a>", "not reached by the tab key: <a href"},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html>" + good + cases[r.URL.Query().Get("case")].part))
	}))
	t.Cleanup(server.Close)
	b := newTab(t, server.URL)
	for name, c := range cases {
		b.visit("/?case=" + url.QueryEscape(name))
		if faults := b.tabbed(); c.fault == "" {
			require.Empty(t, faults, name)
		} else {
			require.Contains(t, faults, c.fault, name)
			require.NotContains(t, faults, "\n", name)
		}
	}
}
