package walk

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
	"rollcall/internal/demo"
)

// TestPagesInABrowser walks what people do, in Chromium, against a demo whose data came through the ingest.
func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	chromium(t)
	root, path, stop := demoDoor(t, "--pace", "1h")
	defer stop()
	b := newTab(t, root)
	for _, step := range []struct {
		name string
		run  func(*testing.T, *tab)
	}{
		{"a page leads to sign-in, a wrong password is refused in words, and the printed link signs in", func(t *testing.T, b *tab) {
			t.Helper()
			signsIn(t, b, path)
		}},
		{"every page is accessible, fits a phone, is light and keeps the policy", everyPage},
		{"search works by keyboard alone, from the first key to the record", searchesByKeyboard},
		{"a record shows the linked picture with confidence and reasons", opensAPerson},
		{"a person has one page, and a record that is somebody else's leaves it for good", splitsAPerson},
		{"a calendar subscribes to a case's hearings until its address is ended", subscribesToHearings},
		{"a key is made, works, is replaced and revoked", managesKeys},
		{"the reference sends an operation with a key that only the page knows", triesTheReference},
		{"a county's figures are shown for a month, a quarter or a year", choosesARange},
		{"the playground reads the schema as who is signed in", asksInThePlayground},
		{"an operator holds and releases a source, and looks at its quarantine and at jobs", operates},
		{"a member is invited, joins, and may do less than an owner", invitesAMember},
		{"a passkey is added, signs in, and after its removal does not", usesAPasskey},
		{"signing out everywhere ends the session", signsOut},
	} {
		if !t.Run(step.name, func(t *testing.T) {
			b.t = t
			step.run(t, b)
			b.clean()
		}) {
			break // each begins where the one before ended
		}
	}
}

func signsIn(t *testing.T, b *tab, enter string) {
	t.Helper()
	b.visit("/settings/usage")
	require.Equal(t, "/sign-in?next=%2Fsettings%2Fusage", b.path())
	b.accessible()
	b.do(chromedp.SendKeys(chromedp.CSS("#email"), demo.Email), chromedp.SendKeys(chromedp.CSS("#password"), "not the password"))
	b.submit("main button")
	require.Contains(t, b.text(), "rong e-mail address or password")
	b.accessible()
	b.forget() // Chromium notes the status 401 of the page itself
	b.visit(enter)
	require.Equal(t, "/", b.path())
}

func everyPage(t *testing.T, b *tab) {
	t.Helper()
	for name, path := range shownPages(b) {
		if *only != "" && !regexp.MustCompile(*only).MatchString(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			b.t = t
			b.look(1280, "light")
			b.firstLoad(path)
			b.soundly()
			b.look(360, "light")
			b.firstLoad(path) // charts are drawn for the width that they find
			b.fits()
			if strings.HasSuffix(name, "missing") {
				b.forgive("status of 404") // which Chromium notes of the page itself
			}
		})
	}
	b.t = t
	b.look(1280, "light")
}

// soundly looks at the page that is open: accessible in both schemes, in forced colors and enlarged, no wider than a phone, and reached by
// keyboard.
func (b *tab) soundly() {
	b.t.Helper()
	b.accessible()
	b.look(1280, "dark")
	b.keeps(colourRules)
	b.forced()
	b.keeps(colourRules)
	b.enlarged()
	b.fits()
	b.accessible()
	b.look(360, "light")
	b.fits()
	b.look(1280, "light")
	b.reached()
}

func searchesByKeyboard(t *testing.T, b *tab) {
	t.Helper()
	b.look(900, "light") // where the head has no room for a search
	b.visit("/counties")
	b.do(chromedp.KeyEvent("/"))
	b.until(`location.pathname === "/search" && document.activeElement.id === "q"`)
	b.look(1280, "light")
	b.settled()
	b.do(chromedp.KeyEvent("smi"))
	b.until(`document.querySelectorAll("[data-result]").length > 5`)
	require.Equal(t, "/search?q=smi", b.path())
	require.Equal(t, 3, eval[int](b, `document.querySelectorAll(".group").length`), "three families")
	require.Equal(t, "SMI", strings.ToUpper(eval[string](b, `document.querySelector(".result mark").textContent`)))
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	second := eval[string](b, `document.activeElement.getAttribute("href")`)
	require.Equal(t, eval[string](b, `document.querySelectorAll("[data-result]")[1].getAttribute("href")`), second)
	b.do(chromedp.KeyEvent(kb.Escape))
	require.Equal(t, "q", eval[string](b, `document.activeElement.id`))
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	b.until(`location.pathname.startsWith("/roster/")`)
	b.settled()
	b.do(chromedp.NavigateBack())
	b.settled()
	require.Equal(t, "smi", eval[string](b, `document.querySelector("#q").value`), "going back finds the question again")
	t.Log("and what was opened of the results, at its place")
	eval[bool](b, `document.querySelector(".group .more a").click() || true`)
	b.until(`document.querySelector(".group .results").children.length > 30`)
	opened := eval[string](b, `(() => { const a = document.querySelectorAll(".group .results a")[25]; a.focus(); return a.getAttribute("href"); })()`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`location.pathname.startsWith("/roster/")`)
	b.settled()
	b.do(chromedp.NavigateBack())
	b.settled()
	b.until(`document.activeElement.getAttribute("href") === ` + quoted(opened) + ` && document.querySelector(".group .results").children.length > 30 && scrollY > 200`)

	t.Log("facets narrow, and say when they narrow too far")
	eval[bool](b, `(() => { const s = document.querySelector("#status"); s.value = "WARRANT"; s.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	b.until(`document.querySelectorAll(".group").length === 1 && !document.querySelector(".loading")`)
	require.Contains(t, b.text(), "Court cases")
	t.Log("a record id leads to its booking, and words that are whole come first")
	id := strings.TrimPrefix(shownPages(b)["booking"], "/roster/")
	b.visit("/search?q=" + id)
	require.Equal(t, []string{"/roster/" + id}, eval[[]string](b, `[...document.querySelectorAll("[data-result]")].map(e => e.getAttribute("href"))`))
	b.visit("/search?q=smith")
	require.Regexp(t, `(?i)^smith\b`, eval[string](b, `[...document.querySelectorAll(".group")].at(-1).querySelector("[data-result] b").textContent`))
	t.Log("what no search compares is said, not dropped")
	b.visit("/search?q=smith+12b")
	require.Contains(t, b.text(), "“12b” was not searched. The results are for “smith”, at any age.")
	t.Log("a year beside a name is that of the birth")
	b.visit("/search?q=smith+1986")
	require.Contains(t, b.text(), "Only jail bookings of people born in 1986.")
	require.Regexp(t, `^(1986 ?)*$`, eval[string](b, `[...document.querySelectorAll(".result .meta")].map(e => e.textContent.match(/born .*?(\d{4})/)?.[1]).join(" ")`))
	b.accessible()
	b.visit("/search?q=qqqqzz")
	require.Contains(t, b.text(), "Nothing matches")

	t.Log("the head of every other page searches too")
	b.visit("/counties")
	b.do(chromedp.KeyEvent("/"))
	b.until(`document.activeElement.id === "find"`)
	eval[string](b, `document.querySelector("#find").value = ""`) // the driver writes the key as well, which a keyboard does not
	b.accessible()
	b.do(chromedp.KeyEvent("smith" + kb.Enter))
	b.until(`location.pathname === "/search" && document.querySelector("#q").value === "smith" && document.querySelector("[data-result]")`)

	t.Log("an empty list of a county that nobody reads does not look like nobody in jail")
	b.visit("/search?q=smith&county=echols")
	b.until(`document.querySelector("#groups .note.warn")`)
	require.Contains(t, b.text(), "We don’t cover the Echols County jail. The people held there are not in these results.")
	require.Equal(t, "Echols (not covered)", eval[string](b, `document.querySelector("#county").selectedOptions[0].textContent`))
	b.accessible()
}

func opensAPerson(t *testing.T, b *tab) {
	t.Helper()
	pages := shownPages(b)
	b.visit(pages["booking"])
	text := b.text()
	for _, expected := range []string{"confidence", "agree", "Charges", "last read", "Total bond", "Next hearing", "Booked"} {
		require.Contains(t, text, expected)
	}
	require.NotRegexp(t, `(?i)\bguilty\b|undefined|\bnull\b|NaN|\[object`, text)
	t.Log("on paper it is light, whatever the screen")
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	require.NoError(t, err)
	require.Equal(t, "rgb(255, 255, 255)", eval[string](b, `getComputedStyle(document.querySelector(".linked .chip")).backgroundColor`))
	require.Equal(t, "rgb(255, 255, 255)", eval[string](b, `getComputedStyle(document.body).backgroundColor`))
	eval[bool](b, `dispatchEvent(new Event("beforeprint"))`)
	require.Regexp(t, `^`+regexp.QuoteMeta(b.root+pages["booking"])+`\s+Read \w{3} \d+, \d{4}, \d+:\d\d [AP]M, printed \w{3} \d+, \d{4}, \d+:\d\d.[AP]M, Eastern Time\.$`, eval[string](b, `document.querySelector(".on-paper").innerText`))
	t.Log("and says nothing that only leads elsewhere")
	const forPrograms = `[...document.querySelectorAll("summary")].some(h => h.textContent === "API" && h.getClientRects().length > 0)`
	for _, path := range []string{pages["booking"], pages["case"], pages["offender"], pages["county"], "/settings/usage", "/operator/jobs", "/docs/webhooks"} {
		b.visit(path)
		require.Empty(t, eval[string](b, `[...document.querySelectorAll("header.top, nav, .skip, [data-refresh], .card-head > a, button, .contents, a[href='/docs'], a[href='/graphql']")].filter(e => e.getClientRects().length).map(e => e.outerHTML).join("\n")`), path)
		require.False(t, eval[bool](b, forPrograms), path)
	}
	t.Log("while folded facts, such as past hearings, are printed, and folded tools are not")
	printed := `(kind => { const d = document.createElement("details"); d.className = kind; d.append(document.createElement("summary"), Object.assign(document.createElement("p"), { textContent: "heard" }));
		document.querySelector("main").append(d); return d.lastChild.getBoundingClientRect().height > 0 })`
	b.visit(pages["case"])
	require.True(t, eval[bool](b, printed+`("data facts")`))
	require.False(t, eval[bool](b, printed+`("data")`))
	_, err = chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	require.NoError(t, err)
	b.look(1280, "light")
	b.visit(pages["booking"])
	require.True(t, eval[bool](b, forPrograms))
	require.NotContains(t, b.text(), "Eastern Time.", "which is for paper only")
	ageWithoutAsking(t, b)
	var chains struct {
		Roster struct {
			Records []struct {
				ID       string
				GdcMatch *struct {
					Confidence string
					Record     struct {
						CountyRecords []struct{ RosterID, Confidence string }
					}
				}
			}
		}
	}
	b.ask(`{ roster(limit: 200) { records { id gdcMatch { confidence record { countyRecords { rosterId confidence } } } } } }`, &chains)
	for _, r := range chains.Roster.Records {
		if m := r.GdcMatch; m != nil && m.Confidence == "LOW" && slices.ContainsFunc(m.Record.CountyRecords, func(c struct{ RosterID, Confidence string }) bool {
			return c.RosterID != r.ID && c.Confidence == "HIGH"
		}) {
			b.visit("/roster/" + r.ID)
			require.Zero(t, eval[int](b, `document.querySelectorAll(".linked.high a[href^='/roster/']").length`), "a chain is no surer than its weakest link")
			require.Contains(t, b.text(), "links to it with low confidence. The booking listed here links to it with high confidence")
			break
		}
	}
	b.visit(pages["booking"])
	b.submit(".linked a[href^='/corrections/']")
	require.Contains(t, b.text(), "County bookings")
	b.visit(pages["case"])
	require.Regexp(t, `(?i)hearings`, b.text())
	calendar := eval[string](b, `fetch(document.querySelector("a[download]").href).then(r => r.text())`)
	require.Contains(t, calendar, "BEGIN:VEVENT\r\nUID:")
	require.Contains(t, calendar, "END:VCALENDAR\r\n")
	b.submit(".linked a[href^='/roster/']")
	require.Regexp(t, `(?s)Linked records.*Court cases.*confidence`, b.text(), "the link is read from both sides")
	b.visit(pages["county"])
	require.Contains(t, b.text(), "median bond")
	require.Equal(t, 4, eval[int](b, `document.querySelectorAll("svg.chart[role=slider]").length`), "held; booked and released; bond; time held")
	require.Equal(t, 4, eval[int](b, `document.querySelectorAll("svg.chart .line, svg.chart .bar-a").length && [...document.querySelectorAll("svg.chart")].filter(c => c.querySelector(".line, .bar-a")).length`), "and none is empty")
	require.Equal(t, 90, eval[int](b, `[...document.querySelectorAll("details.data tbody tr")].filter(r => r.cells.length === 6).length`), "and the table has all of it")
}

func managesKeys(t *testing.T, b *tab) {
	t.Helper()
	b.visit("/settings/keys")
	b.do(chromedp.SendKeys(chromedp.CSS("#label"), `<img src=x onerror=alert(1)>`))
	eval[bool](b, `document.querySelector("form[action='/settings/keys'] button").addEventListener("click", (e) => e.isTrusted && queueMicrotask(() => e.target.click())) === undefined`) // twice
	b.submit("form[action='/settings/keys'] button")
	first := eval[string](b, `document.querySelector("#secret").textContent`)
	require.Regexp(t, `rc_live_\w+`, first)
	require.Contains(t, b.text(), "<img src=x onerror=alert(1)>", "a label is text")
	b.accessible()
	require.Equal(t, http.StatusOK, status(t, b.root+"/v1/counties", first))

	b.do(chromedp.Reload())
	b.settled()
	require.NotContains(t, eval[string](b, "document.documentElement.innerHTML"), first, "shown once")
	require.Equal(t, "/settings/keys", b.path())
	require.Equal(t, 2, eval[int](b, `document.querySelectorAll("main .list > li").length`), "reloading makes no second key")

	t.Log("regenerated with an overlap both work, revoked neither does")
	b.click(".list > li:first-child details summary")
	b.accessible()
	b.submit(".list > li:first-child details[open] button")
	second := eval[string](b, `document.querySelector("#secret").textContent`)
	require.NotEqual(t, first, second)
	require.Equal(t, http.StatusOK, status(t, b.root+"/v1/counties", first))
	require.Equal(t, http.StatusOK, status(t, b.root+"/v1/counties", second))
	b.visit("/settings/usage")
	eval[bool](b, "setTimeout(() => history.back()) > 0") // the browser may show the page as it was left
	b.until(`location.pathname === "/settings/keys"`)
	require.NotContains(t, eval[string](b, "document.documentElement.innerHTML"), second, "shown once, on the way back too")
	b.visit("/settings/keys")
	b.click(".list > li:first-child details:last-of-type summary")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector("details.confirm[open]")`)
	for range 2 { // the newest two; the demo's own stays
		b.click(".list > li:first-child details:last-of-type summary")
		b.submit(".list > li:first-child details[open] button.danger")
		require.Contains(t, b.text(), "revoked")
	}
	require.Equal(t, http.StatusUnauthorized, status(t, b.root+"/v1/counties", first))
	require.Equal(t, http.StatusUnauthorized, status(t, b.root+"/v1/counties", second))
	b.visit("/settings/usage")
	require.NotContains(t, b.text(), "No request in the last 24 hours")
	b.accessible()
	b.visit("/settings/trail")
	require.Contains(t, b.text(), "key regenerated")
}

func status(t *testing.T, url, key string) int {
	t.Helper()
	code, _ := cmdtest.Ask(t, url, key)
	return code
}

func invitesAMember(t *testing.T, b *tab) {
	t.Helper()
	b.visit("/settings/members")
	b.do(chromedp.SendKeys(chromedp.CSS("#email"), "reporter@example.org"))
	b.submit("form[action='/settings/members'] button")
	link := eval[string](b, `document.querySelector("#secret").textContent`)
	require.Regexp(t, `/invitation/[A-Z0-9]{26}$`, link)

	other := newTab(t, b.root)
	other.visit(strings.TrimPrefix(link, b.root))
	other.accessible()
	other.do(chromedp.SendKeys(chromedp.CSS("#password"), "passwordpassword"), chromedp.SendKeys(chromedp.CSS("#again"), "passwordpassword"))
	other.submit("main button")
	require.Contains(t, other.text(), "too easy")
	other.forget() // Chromium notes the status 422 of the page itself
	other.do(chromedp.SendKeys(chromedp.CSS("#password"), readerPassword), chromedp.SendKeys(chromedp.CSS("#again"), readerPassword))
	other.submit("main button")
	require.Equal(t, "/", other.path())
	other.visit("/settings/members")
	require.Contains(t, other.text(), "Only owners of the account can invite")
	require.NotContains(t, other.text(), "Remove")
	other.accessible()
	require.Equal(t, 404, eval[int](other, `fetch("/operator/sources").then(r => r.status)`))
	other.forget()
	other.clean()

	t.Log("removed, the member is signed out")
	b.visit("/settings/members")
	b.click(".list > li:nth-child(2) details:last-of-type summary")
	b.submit(".list > li:nth-child(2) details[open] button.danger")
	require.Contains(t, b.text(), "removed and signed out")
	other.visit("/search")
	require.Contains(t, other.path(), "/sign-in")
}

func signsOut(t *testing.T, b *tab) {
	t.Helper()
	b.visit("/settings/you")
	b.click("details.confirm:has(form[action='/settings/you/everywhere']) summary")
	b.submit("form[action='/settings/you/everywhere'] button")
	require.Contains(t, b.text(), "signed out in every browser")
	require.Equal(t, 401, eval[int](b, `fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: '{"query": "{ counties { slug } }"}'}).then(r => r.status)`))
	b.forget()
	b.visit("/search")
	require.Contains(t, b.path(), "/sign-in")
}
