package walk

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
)

// aDesk is an account with two people in one browser.
type aDesk struct {
	*tab
	x  *cmdtest.Terminal
	db *pgxpool.Pool
}

// TestSessionsAndTabsInABrowser walks what happens to a page that is left open: its session ends, another tab changes the same, its
// figures grow old.
func TestSessionsAndTabsInABrowser(t *testing.T) {
	t.Parallel()
	chromium(t)
	x := newTerminal(t)
	root, door := x.Serve("Desk")
	db, err := pgxpool.New(t.Context(), x.URL)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	d := &aDesk{tab: newTab(t, root), x: x, db: db}
	d.joins(x.Invited(x.FirstAccount(), "bob@example.org"))
	d.joins(door)
	d.asksAsAPage()
	d.typedTextBelongsToItsReader()
	d.expiresWhileItIsUsed()
	d.comesBackBesideWhatWasWritten()
	d.anotherSignsInBeside()
	d.savesInTwoTabs()
	d.figuresAreReadAgain()
	d.clean()
}

// asksAsAPage reads of which limit the queries of pages and of the playground are taken: a browser sends the page's token.
func (d *aDesk) asksAsAPage() {
	d.t.Helper()
	var mu sync.Mutex
	var limits []string
	require.NoError(d.t, chromedp.Listen(d.ctx, func(ev any) {
		e, ok := ev.(*network.EventResponseReceived)
		if !ok || !strings.HasSuffix(e.Response.URL, "/graphql") || e.Type != network.ResourceTypeFetch {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		for name, value := range e.Response.Headers {
			if strings.EqualFold(name, "RateLimit-Limit") {
				limits = append(limits, fmt.Sprint(value))
			}
		}
	}))
	asked := func() (all []string) {
		require.Eventually(d.t, func() bool { // a page asks after it is shown
			mu.Lock()
			defer mu.Unlock()
			all, limits = limits, nil
			return len(all) > 0
		}, time.Minute, 10*time.Millisecond)
		return slices.Compact(all)
	}
	d.visit("/counties/fulton")
	require.Equal(d.t, []string{"600"}, asked(), "of pages")
	d.visit("/graphql")
	d.until(`!!document.querySelector(".graphiql-execute-button")`)
	eval[bool](d.tab, `document.querySelector(".graphiql-execute-button").click() || true`)
	d.until(`(document.querySelector(".result-window")?.innerText ?? "").includes("data")`)
	require.Equal(d.t, []string{"600"}, asked(), "of the playground")
	d.forget()
}

// expires ends every session by the clock.
func (d *aDesk) expires() {
	d.t.Helper()
	_, err := d.db.Exec(d.t.Context(), `update sessions set expires_at = now()`)
	require.NoError(d.t, err)
}

// signsIn fills in the sign-in page that is open.
func (d *aDesk) signsIn(email string) {
	d.t.Helper()
	d.until(`location.pathname === "/sign-in"`)
	d.settled()
	d.forgive("status of 401") // which Chromium notes of what was asked after the end
	eval[string](d.tab, `document.querySelector("#email").value = ""`)
	d.do(chromedp.SendKeys(chromedp.CSS("#email"), email), chromedp.SendKeys(chromedp.CSS("#password"), readerPassword))
	d.submit("main button")
}

const keptText = `sessionStorage.getItem("rollcall-typed")`

func (d *aDesk) typedTextBelongsToItsReader() {
	t := d.t
	t.Helper()
	typed := func() {
		d.visit("/settings/keys")
		d.do(chromedp.SendKeys(chromedp.CSS("#label"), "what ada wrote"))
		d.expires()
		d.submit("form[action='/settings/keys'] button")
		require.Contains(t, d.text(), "Your session has ended")
	}
	typed()
	d.signsIn("ada@example.org")
	require.Equal(t, "/settings/keys", d.path())
	require.Equal(t, "what ada wrote", eval[string](d.tab, `document.querySelector("#label").value`))

	t.Log("another reader in the same tab finds nothing of it, whichever page comes first")
	typed()
	require.NotContains(t, eval[string](d.tab, keptText), "example.org", "the tab keeps no e-mail address")
	d.signsIn("bob@example.org")
	require.Equal(t, "/settings/keys", d.path())
	require.Empty(t, eval[string](d.tab, `document.querySelector("#label").value`))
	require.True(t, eval[bool](d.tab, keptText+" === null"))

	t.Log("and signing out leaves nothing")
	d.do(chromedp.SendKeys(chromedp.CSS("#label"), "what bob wrote"))
	require.Contains(t, eval[string](d.tab, keptText), "what bob wrote")
	d.signsOut()
	require.True(t, eval[bool](d.tab, keptText+" === null"))
	d.signsIn("ada@example.org")
}

func (d *aDesk) expiresWhileItIsUsed() {
	t := d.t
	t.Helper()
	d.visit("/search")
	d.expires()
	d.do(chromedp.SendKeys(chromedp.CSS("#q"), "Moonsail"))
	d.signsIn("ada@example.org")
	require.Equal(t, "/search?q=Moonsail", d.path())
	require.Equal(t, "Moonsail", eval[string](d.tab, `document.querySelector("#q").value`))

	d.visit("/activity")
	d.until(`document.querySelector("#connection").textContent === "live"`)
	d.expires()
	d.signsIn("ada@example.org") // the stream ends by itself, and is not made again without a session
	require.Equal(t, "/activity", d.path())
	d.until(`document.querySelector("#connection").textContent === "live"`)
}

// comesBackBesideWhatWasWritten ends the session under forms that scripts send.
func (d *aDesk) comesBackBesideWhatWasWritten() {
	t := d.t
	t.Helper()
	d.visit("/alerts/new?name=Wren+Moonsail")
	d.until(`document.querySelector("#preview").textContent.includes("No matching bookings in the last 30 days")`)
	d.do(chromedp.SendKeys(chromedp.CSS("#note"), "what ada wrote"))
	d.expires()
	eval[bool](d.tab, `(document.querySelector("#form").requestSubmit(), true)`)
	d.until(`document.querySelector("[role=alert] a[href^='/sign-in']")`)
	d.forgive("status of 401")
	require.Contains(t, d.text(), "Your session has ended; nothing was done. Sign in in another tab, then try again here. What you wrote is kept.")
	d.accessible()
	other := &aDesk{tab: d.beside(), x: d.x, db: d.db}
	other.visit(eval[string](d.tab, `document.querySelector("[role=alert] a").getAttribute("href")`))
	other.signsIn("ada@example.org")
	require.Equal(t, d.path(), other.path())
	other.close()
	eval[bool](d.tab, `(document.querySelector("#form").requestSubmit(), true)`)
	d.until(`location.pathname.startsWith("/alerts/alrt_") && document.querySelector(".noted")?.textContent === "what ada wrote"`)

	t.Log("a form of a page that the service makes comes back with what was written, after signing in")
	d.settled() // its modules note what is sent
	alert, _, _ := strings.Cut(d.path(), "?")
	eval[bool](d.tab, `(document.querySelector("details.edit").open = true, document.querySelector("#note").value = "and changed", true)`)
	d.expires()
	eval[bool](d.tab, `(document.querySelector("#edit").requestSubmit(), true)`)
	d.until(`location.pathname === "/sign-in"`)
	d.signsIn("ada@example.org")
	require.Equal(t, alert, d.path())
	require.True(t, eval[bool](d.tab, `document.querySelector("details.edit").open`))
	require.Equal(t, "and changed", eval[string](d.tab, `document.querySelector("#note").value`))
	eval[bool](d.tab, `(document.querySelector("#edit").requestSubmit(), true)`)
	d.until(`document.querySelector(".noted")?.textContent === "and changed"`)
}

func (d *aDesk) anotherSignsInBeside() {
	t := d.t
	t.Helper()
	d.visit("/settings/keys")
	live, beside := d.beside(), d.beside()
	live.visit("/activity")
	live.until(`document.querySelector("#connection").textContent === "live"`)
	was := eval[string](live, `document.querySelector("meta[name=reader]").content`)
	beside.visit("/sign-in?again=1")
	beside.do(chromedp.SendKeys(chromedp.CSS("#email"), "bob@example.org"), chromedp.SendKeys(chromedp.CSS("#password"), readerPassword))
	beside.submit("main button")
	t.Log("a form of the page before is not done in the name of who came after")
	d.do(chromedp.SendKeys(chromedp.CSS("#label"), "of the reader before"))
	d.submit("form[action='/settings/keys'] button")
	require.Contains(t, d.text(), "Someone else signed in to this browser")
	d.forgive("status of 409")
	t.Log("and a page that is live becomes the other reader's")
	live.until(`document.querySelector("meta[name=reader]").content !== ` + quoted(was) + ` && document.querySelector("#connection").textContent === "live"`)
	live.close()
	beside.close()
	d.visit("/sign-in?again=1")
	d.signsIn("ada@example.org")

	t.Log("a link of somebody else says who is signed in here, however long the address")
	d.visit(d.x.Invited(d.x.FirstAccount(), strings.Repeat("a", 64)+"@example.org"))
	require.Contains(t, d.text(), "This browser is signed in as ada@example.org")
	d.soundly()
}

func (d *aDesk) savesInTwoTabs() {
	t := d.t
	t.Helper()
	id := eval[string](d.tab, `fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({query:
		"mutation { createAlert(input: {name: \"Wren Moonsail\"}) { id } }"})}).then(r => r.json()).then(r => r.data.createAlert.id)`)
	other := d.beside()
	for _, b := range []*tab{d.tab, other} {
		b.visit("/alerts/" + id)
		b.until(`document.querySelector("details.edit")`)
		eval[bool](b, `document.querySelector("details.edit").open = true`)
	}
	save := `document.querySelector("#edit").requestSubmit()`
	eval[bool](other, `(document.querySelector("#note").value = "of the first tab", `+save+`, true)`)
	other.until(`document.body.innerText.includes("The alert was changed")`)
	eval[bool](d.tab, `(document.querySelector("#note").value = "of the second tab", `+save+`, true)`)
	d.until(`document.querySelector("#now")`)
	d.forgive("status of 409")
	require.Contains(t, d.text(), "of the first tab")
	require.Equal(t, "of the second tab", eval[string](d.tab, `document.querySelector("#note").value`))
	require.True(t, eval[bool](d.tab, `document.querySelector("#now").contains(document.activeElement)`))
	d.accessible()
	eval[bool](d.tab, `(`+save+`, true)`)
	d.until(`document.querySelector(".noted")?.textContent === "of the second tab"`)

	t.Log("what the other tab deleted is missed calmly")
	eval[bool](other, `[...document.querySelectorAll("details.confirm summary")].find(s => s.textContent === "Delete").click() || true`)
	other.submit("button.danger")
	eval[bool](d.tab, `(document.querySelector("details.edit").open = true, `+save+`, true)`)
	d.until(`document.body.innerText.includes("There is no alert with this id.") && document.querySelector("main a[href='/alerts']")`)
	d.forgive("status of 404")
	other.close()
}

func (d *aDesk) figuresAreReadAgain() {
	t := d.t
	t.Helper()
	key, ok := d.x.Fields("key", "create", "--account", d.x.FirstAccount(), "--label", "figures", "--json")["key"].(string)
	require.True(t, ok)
	d.visit("/settings/usage")
	const answered = `Number(document.querySelectorAll(".figure b")[1].textContent)`
	before := eval[int](d.tab, answered)
	require.Contains(t, d.text(), "As of ")
	require.Equal(t, http.StatusOK, status(t, d.root+"/v1/roster", key))
	eval[bool](d.tab, `(document.querySelector("[data-refresh]").focus(), window.before = true)`)
	d.do(chromedp.KeyEvent("\r"))
	d.until(`document.querySelector("#refreshed").textContent === "Up to date."`)
	require.True(t, eval[bool](d.tab, "window.before"), "the page was not left")
	require.Greater(t, eval[int](d.tab, answered), before)
	require.True(t, eval[bool](d.tab, `document.activeElement.matches("[data-refresh]")`), "the keyboard stays")
	d.accessible()
}
